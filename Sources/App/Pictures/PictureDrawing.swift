import Attachments
import Models
import Programs
import Screens
import Terminal

/// Fulfils one wish: finds the picture on this disk or fetches it, and has it drawn.
struct PictureDrawing: Sendable {
    let helper: PictureHelper
    /// The pictures of an open account; `nil` when it is closed, or takes no files.
    let shelf: @Sendable (AccountID) async -> PictureShelf?

    /// - Returns: `nil` when the task was cancelled.
    @concurrent
    func entry(for wish: PictureWish) async -> PictureAlbum.Entry? {
        guard let shelf = await shelf(wish.key.account) else {
            return .failed(PictureError.notThere.userCopy)
        }
        let room = Size(columns: wish.key.room.columns, rows: wish.key.room.rows)
        let way = "\(room.columns.cells)x\(room.rows)-\(helper.way)"
        if let kept = shelf.drawing(of: wish.attachment, way: way, limit: PictureHelper.outputLimit),
            // What is no picture any more is drawn anew.
            let mosaic = try? MosaicReader.read(kept, limit: room)
        {
            return .drawn(mosaic)
        }
        do throws(PictureError) {
            let picture = try await shelf.picture(wish.attachment, limit: wish.limit)
            return await draw(picture, wish, room, way, shelf)
        } catch {
            if error.isCancelled || Task.isCancelled { return nil }
            return error == .tooLarge ? .tooLarge : .failed(error.userCopy)
        }
    }

    private func draw(
        _ picture: PictureShelf.Picture, _ wish: PictureWish, _ room: Size, _ way: String,
        _ shelf: PictureShelf
    ) async -> PictureAlbum.Entry? {
        let output: [UInt8]
        do throws(ProgramError) {
            let size = wish.key.room.size(width: picture.width, height: picture.height)
            output = try await helper.draw(picture.path, size: size)
        } catch {
            return error == .cancelled ? nil : .failed(UserCopy(error.what, next: error.next))
        }
        do throws(MosaicError) {
            let mosaic = try MosaicReader.read(output, limit: room)
            shelf.keep(output, of: wish.attachment, way: way)
            return .drawn(mosaic)
        } catch {
            return .failed(
                UserCopy("The helper program drew something else.", next: "Save the picture, or open it."))
        }
    }
}
