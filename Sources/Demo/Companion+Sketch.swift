import Backend
import FoundationEssentials
import Models

extension Companion {
    /// Shows the others the sketch, with words to it. Where it cannot be uploaded nothing is said either.
    /// - Parameter folder: Of the demo's own; the picture lies there while it is uploaded.
    func showSketch(in conversation: UUID, by folder: String) async {
        await type(Sketch.words, in: conversation)
        let id = UUID(random: &random)
        let path = "\(folder)/\(id).png"
        do { try Data(Sketch.bytes).write(to: URL(filePath: path)) } catch { return }
        defer { try? FileManager.default.removeItem(atPath: path) }  // it goes with the folder at the latest
        var file = Sketch.attachment
        guard let place = await upload(path, file, of: id, in: conversation) else { return }
        file.path = place
        await send(
            OutgoingMessage(id: id, conversationID: conversation, body: Sketch.words, attachment: file))
    }

    /// - Returns: Where the server has it; `nil` when it is not to be had there.
    private func upload(_ path: String, _ file: Attachment, of id: UUID, in conversation: UUID) async
        -> String?
    {
        let upload = FileUpload(
            messageID: id, conversationID: conversation, localPath: path, name: Sketch.name,
            mimeType: "image/png", size: Int64(Sketch.bytes.count), sha256: Sketch.sha256)
        while !Task.isCancelled {
            switch await backend.upload(upload, progress: { _ in }) {
            case .stored(let place): return place
            case .wait(let delay, _): guard await pace.wait(delay ?? .seconds(1)) else { return nil }
            case .waitForSignIn, .refused: return nil
            }
        }
        return nil
    }
}
