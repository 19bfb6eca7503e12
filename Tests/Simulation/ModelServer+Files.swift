import Backend
import FoundationEssentials
import Models

/// Files: brought before their message, and taken away after it.
extension ModelServer {
    struct StoredFile {
        let owner: UUID
        let messageID: UUID
        let room: UUID
    }

    /// The same file for the same message is there once, however often it is brought.
    func keep(_ file: FileUpload, of user: UUID) -> UploadOutcome {
        guard isMember(user, of: file.conversationID) else { return .refused(.notAMember) }
        let path = [user.text, file.messageID.text, file.name].joined(separator: "/")
        // A try that comes so late that a later one was used and its file taken away again: nothing can be done about it.
        guard !takenAway.contains(path) else { return .stored(path: path) }
        files[path] = StoredFile(owner: user, messageID: file.messageID, room: file.conversationID)
        return .stored(path: path)
    }

    /// Those that no message names.
    func removeFiles(of id: UUID, as user: UUID) -> OperationOutcome {
        let left = files.filter { path, file in
            file.owner == user && file.messageID == id && !isNamed(path, by: id)
        }
        takenAway.formUnion(left.keys)
        for path in left.keys { files[path] = nil }
        return .stored(nil)
    }

    func isNamed(_ path: String, by id: UUID) -> Bool {
        guard let message = message(id), !message.isDeleted else { return false }
        return message.attachment?.path == path
    }
}
