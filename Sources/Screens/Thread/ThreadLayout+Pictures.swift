import Models
import Terminal
import ViewModels

/// Which pictures of a thread are to be seen, and what stands for each.
extension ThreadLayout {
    /// What stands for a message's picture; `nil` for a message without one, and where none is drawn.
    func picture(of message: Message, _ look: MessageLook) -> PictureLook? {
        guard let pictures else { return nil }
        switch state.pictures.showing(message) {
        case .none: return nil
        case .offered: return .offered(keyName: pictures.keyName)
        case .drawn(let limit):
            guard let room = pictureRoom(look), let wish = wish(message, limit, room, in: pictures) else {
                return nil
            }
            let kept = wish.attachment.shape.map { room.size(width: $0.width, height: $0.height).rows } ?? 0
            switch pictures.album.entries[wish.key] {
            case nil: return .coming(rows: kept)
            case .drawn(let mosaic): return .drawn(mosaic, rows: max(kept, mosaic.size.rows))
            case .tooLarge: return .offered(keyName: pictures.keyName)
            case .failed(let words): return .failed("Not drawn: \(words.what)")
            }
        }
    }

    /// The pictures of these rows, each once, in their order.
    func wishes(for rows: [ThreadRow]) -> [PictureWish] {
        guard let pictures else { return [] }
        var wishes: [PictureWish] = []
        var last: Message.ID?
        for id in rows.compactMap(\.messageID) where id != last {
            last = id
            guard let message = state.window[id], case .drawn(let limit) = state.pictures.showing(message),
                let room = pictureRoom(look(of: message)), let wish = wish(message, limit, room, in: pictures)
            else { continue }
            wishes.append(wish)
        }
        return wishes
    }

    private func wish(_ message: Message, _ limit: Int64?, _ room: PictureRoom, in pictures: PictureContext)
        -> PictureWish?
    {
        message.attachment.map { attachment in
            let key = PictureKey(
                account: pictures.account, path: attachment.path, room: room, isAsked: limit == nil)
            return PictureWish(key: key, attachment: attachment, limit: limit)
        }
    }

    private func pictureRoom(_ look: MessageLook) -> PictureRoom? {
        pictures.flatMap {
            PictureRoom(columns: layout.bodyRoom(beside: look), threadRows: $0.threadRows)
        }
    }
}

extension Attachment {
    /// Its width and height, where its sender tells them and they can be.
    fileprivate var shape: (width: Int, height: Int)? {
        guard let width, let height, width > 0, height > 0 else { return nil }
        return (width, height)
    }
}
