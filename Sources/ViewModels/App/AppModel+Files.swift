import FoundationEssentials
import Models
import Sync

extension AppModel {
    /// What is done with files.
    func performWithFile(_ action: Action) {
        switch action {
        case .attach: openCommandLine(":", text: "attach ")
        case .detach: composer?.dropFile()
        case .saveFile: saveFile(in: nil)
        case .openFile: askToOpenFile()
        case .picture: togglePicture()
        default: break
        }
    }

    /// Puts a file into the open conversation's composer.
    func attach(_ path: String) {
        guard let composer else {
            show(Notice("Open a conversation first."))
            return
        }
        guard let files = entry(composer.ref.account)?.account.files else {
            show(Notice("This account takes no files.", tone: .bad))
            return
        }
        setFocus(.composer)
        work { [weak self] in
            do throws(FileTrouble) {
                let file = try await files.attach(path)
                // It may have been put away meanwhile, with nothing in it.
                let target = self?.composers[composer.ref] ?? composer
                self?.composers[composer.ref] = target
                target.take(file, of: files)
            } catch { self?.tell(error) }
        }
    }

    /// Saves the attachment of the picked message, or of the last one that has any.
    func saveFile(in folder: String?) {
        guard let (attachment, files) = pickedFile() else { return }
        fetch("Saving \(attachment.name ?? "the file")") { progress throws(FileTrouble) in
            let place = try await files.save(attachment, in: folder, progress: progress)
            return Notice("Saved as \(place)", tone: .good)
        }
    }

    /// Gives the same file to the desktop, after showing what will be opened.
    private func askToOpenFile() {
        guard let (attachment, files) = pickedFile() else { return }
        let title = attachment.name ?? "the file"
        let kind =
            attachment.mimeType.map { "Its sender calls it \($0)." } ?? "Its sender does not say what it is."
        ask(
            "Open \(title)?", detail: "\(kind) The desktop's program for it gets a copy.",
            answers: ["Cancel", "Open"]
        ) { [weak self] answer in
            guard answer == 1 else { return }
            self?.fetch("Opening \(title)") { progress throws(FileTrouble) in
                try await files.open(attachment, progress: progress)
                return nil
            }
        }
    }

    /// Tells how far a file has come while it is fetched, and then what became of it.
    private func fetch(
        _ title: String,
        _ body:
            @escaping @MainActor (_ progress: @escaping @Sendable (Int64, Int64) -> Void)
            async throws(FileTrouble) -> Notice?
    ) {
        show(Notice(title))
        work { [weak self] in
            let (news, sink) = AsyncStream.makeStream(
                of: TransferProgress.self, bufferingPolicy: .bufferingNewest(1))
            let telling = Task { [weak self] in
                for await progress in news { self?.show(Notice("\(title): \(progress.percent)%")) }
            }
            let end: Result<Notice?, FileTrouble>
            do throws(FileTrouble) {
                end = .success(
                    try await body { bytes, total in
                        sink.yield(TransferProgress(moved: bytes, total: total))
                    })
            } catch { end = .failure(error) }
            sink.finish()
            await telling.value
            switch end {
            case .success(let notice?): self?.show(notice)
            case .success(nil): self?.dropNotice()
            case .failure(let trouble): self?.tell(trouble)
            }
        }
    }

    /// The file of the picked message, or the last one; says so when there is none.
    private func pickedFile() -> (attachment: Attachment, files: any FileDoor)? {
        guard let thread, let message = pickedFile(of: thread), let attachment = message.attachment else {
            show(Notice("There is no file here."))
            return nil
        }
        guard !attachment.path.isEmpty, let files = entry(thread.ref.account)?.account.files else {
            show(Notice("Wait until it is sent."))
            return nil
        }
        return (attachment, files)
    }

    private func pickedFile(of thread: ThreadViewModel) -> Message? {
        if let message = thread.state.selectedMessage { return message.attachment == nil ? nil : message }
        return thread.state.window.messages.last { $0.attachment != nil && !$0.isDeleted }
    }

    private func tell(_ trouble: FileTrouble) {
        if !trouble.isCancelled { show(Notice(trouble.userCopy)) }
    }

    /// Starts work with a file. Unlike a deed it is not waited for at the end but ended.
    private func work(_ body: @escaping @MainActor () async -> Void) {
        fileWorkCount += 1
        let number = fileWorkCount
        fileWork[number] = Task { [weak self] in
            await body()
            self?.fileWork[number] = nil
        }
    }
}

extension TransferProgress {
    /// 0...100.
    package var percent: Int { total > 0 ? Int(min(max(moved, 0), total) * 100 / total) : 100 }
}
