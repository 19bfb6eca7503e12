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
        guard let thread, let message = pickedFile(of: thread), let attachment = message.attachment else {
            show(Notice("There is no file to save."))
            return
        }
        guard !attachment.path.isEmpty, let files = entry(thread.ref.account)?.account.files else {
            show(Notice("Wait until it is sent."))
            return
        }
        let title = attachment.name ?? "the file"
        work { [weak self] in
            let (news, sink) = AsyncStream.makeStream(
                of: TransferProgress.self, bufferingPolicy: .bufferingNewest(1))
            let telling = Task { [weak self] in
                for await progress in news { self?.show(Notice("Saving \(title): \(progress.percent)%")) }
            }
            let end: Result<String, FileTrouble>
            do throws(FileTrouble) {
                end = .success(
                    try await files.save(attachment, in: folder) { bytes, total in
                        sink.yield(TransferProgress(moved: bytes, total: total))
                    })
            } catch { end = .failure(error) }
            sink.finish()
            await telling.value
            switch end {
            case .success(let place): self?.show(Notice("Saved as \(place)", tone: .good))
            case .failure(let trouble): self?.tell(trouble)
            }
        }
        show(Notice("Saving \(title)"))
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
