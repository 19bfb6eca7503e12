import FoundationEssentials
import Models
import Sync
import TestSupport
import Testing

@testable import ViewModels

/// A door to files that remembers what it was asked for.
@MainActor
final class ScriptedFiles: FileDoor {
    nonisolated init() {}
    var attachTrouble: FileTrouble?
    var saveTrouble: FileTrouble?
    var gate: Gate?
    private(set) var attached: [String] = []
    private(set) var discarded: [OutgoingFile] = []
    private(set) var saved: [(attachment: Models.Attachment, folder: String?)] = []

    nonisolated static func file(_ name: String) -> OutgoingFile {
        OutgoingFile(
            copy: "copy of " + name,
            attachment: Models.Attachment(path: "", name: name, mimeType: "image/png", size: 48_211),
            sha256: "ab")
    }

    @MainActor func attach(_ path: String) async throws(FileTrouble) -> OutgoingFile {
        attached.append(path)
        await gate?.pass()
        if let attachTrouble { throw attachTrouble }
        return Self.file(path)
    }

    @MainActor func discard(_ file: OutgoingFile) async { discarded.append(file) }

    @MainActor func save(
        _ attachment: Models.Attachment, in folder: String?,
        progress: @escaping @Sendable (_ bytes: Int64, _ total: Int64) -> Void
    ) async throws(FileTrouble) -> String {
        saved.append((attachment, folder))
        progress(1, 2)
        await gate?.pass()
        if let saveTrouble { throw saveTrouble }
        return "/home/ana/Downloads/cat.png"
    }

    nonisolated func completions(of typed: String, onlyFolders: Bool) async -> Completions {
        Completions(candidates: [Completions.Candidate(typed + "at.png")], total: 1, common: typed + "at.png")
    }

    private(set) var opened: [Models.Attachment] = []

    @MainActor func open(
        _ attachment: Models.Attachment,
        progress: @escaping @Sendable (_ bytes: Int64, _ total: Int64) -> Void
    ) async throws(FileTrouble) {
        opened.append(attachment)
        if let saveTrouble { throw saveTrouble }
    }
}

@MainActor @Suite(.timeLimit(.minutes(1))) struct FileTests {
    private let fixture = Fixture()
    private let files = ScriptedFiles()
    private var model: AppModel { fixture.model }
    private var composer: ComposerViewModel? { fixture.model.composer }

    private func begin() async {
        await fixture.begin(files: files)
        await fixture.open(Fixture.crew)
    }

    private func attach(_ path: String) async {
        model.perform(.attach(path))
        await until { [model] in model.composer?.state.file?.attachment.name == path }
    }

    @Test func theCommandsAreRead() {
        #expect(Command("attach ~/Pictures/My Cat.PNG") == .attach("~/Pictures/My Cat.PNG"))
        #expect(Command("attach") == .action(.attach))
        #expect(Command("save /tmp") == .save("/tmp"))
        #expect(Command("save") == .action(.saveFile))
        #expect(Command("detach") == .action(.detach))
    }

    @Test func anAttachedFileGoesWithTheNextMessageOnly() async {
        await begin()
        await attach("cat.png")
        fixture.type("look")
        model.perform(.send)
        fixture.type("and")
        model.perform(.send)
        await composer?.flush()
        #expect(fixture.service.sent.map(\.body) == ["look", "and"])
        #expect(fixture.service.sent.map(\.file) == [ScriptedFiles.file("cat.png"), nil])
        #expect(composer?.state.file == nil)
        #expect(files.discarded.isEmpty)
    }

    @Test func aFileNeedsNoText() async {
        await begin()
        await attach("cat.png")
        model.perform(.send)
        await composer?.flush()
        #expect(fixture.service.sent.map(\.body) == [""])
        #expect(fixture.service.sent.first?.file != nil)
        composer?.recallSent(by: -1)
        #expect(composer?.state.text.isEmpty == true)
    }

    @Test func aSecondFileTakesThePlaceOfTheFirst() async {
        await begin()
        await attach("cat.png")
        await attach("dog.png")
        await until { [files] in files.discarded == [ScriptedFiles.file("cat.png")] }
    }

    @Test func aFileCanBeTakenOutByCommandAndByCtrlC() async {
        await begin()
        for action in [Action.detach, .interrupt] {
            await attach("cat.png")
            model.perform(action)
            #expect(composer?.state.file == nil)
            #expect(model.places.isEmpty)
        }
        await until { [files] in files.discarded.count == 2 }
    }

    @Test func anEditKeepsTheFileForTheNextMessage() async {
        await begin()
        await attach("cat.png")
        let own = Message.example("mine", from: .ana)
        composer?.edit(own)
        composer?.setText("mine, edited")
        model.perform(.send)
        await composer?.flush()
        #expect(fixture.service.edits == [own.id: "mine, edited"])
        #expect(composer?.state.file != nil)
    }

    @Test func whatTheStoreCannotKeepComesBackWithItsFile() async {
        await begin()
        await attach("cat.png")
        fixture.type("look")
        fixture.service.error = .store(.diskFull)
        model.perform(.send)
        await composer?.flush()
        #expect(composer?.state.file == ScriptedFiles.file("cat.png"))
        #expect(composer?.state.text.text == "look")
        #expect(files.discarded.isEmpty)
    }

    @Test func aFileIsPutIntoTheConversationItWasChosenFor() async {
        await begin()
        let gate = Gate()
        files.gate = gate
        model.perform(.attach("cat.png"))
        await gate.arrival()
        model.open(fixture.ref(Fixture.cleo))
        gate.open()
        await until { [model, fixture] in model.composers[fixture.ref(Fixture.crew)]?.state.file != nil }
        #expect(composer?.state.file == nil)
        model.open(fixture.ref(Fixture.crew))
        #expect(composer?.state.file != nil)
    }

    @Test func whatCannotBeAttachedIsTold() async {
        await begin()
        files.attachTrouble = FileTrouble(UserCopy("There is no such file.", next: "Check its name."))
        model.perform(.attach("nothing"))
        await until { [model] in model.state.notice?.what == "There is no such file." }
        #expect(composer?.state.file == nil)
    }

    @Test func anAccountWithoutFilesSaysSo() async {
        await fixture.begin()
        await fixture.open(Fixture.crew)
        model.perform(.attach("cat.png"))
        #expect(model.state.notice?.what == "This account takes no files.")
    }

    @Test func thePickedFileIsSavedAndItsPlaceTold() async {
        await begin()
        var message = Message.example("", minutes: 5, in: Fixture.crew.id)
        message.attachment = Models.Attachment(path: "c/m/file.png", name: "cat.png", size: 9)
        fixture.service.send(message)
        await until { [model] in model.thread?.state.window[message.id] != nil }
        model.perform(.saveFile)
        await until { [model] in model.state.notice?.what == "Saved as /home/ana/Downloads/cat.png" }
        model.perform(.save("/tmp"))
        await until { [files] in files.saved.map(\.folder) == [nil, "/tmp"] }
        #expect(files.saved.first?.attachment.path == "c/m/file.png")
    }

    @Test func nothingIsOpenedBeforeItWasShownWhatItIs() async {
        await begin()
        var message = Message.example("", minutes: 5, in: Fixture.crew.id)
        message.attachment = Models.Attachment(
            path: "c/m/file.pdf", name: "bill.pdf", mimeType: "application/pdf", size: 9)
        fixture.service.send(message)
        await until { [model] in model.thread?.state.window[message.id] != nil }
        model.perform(.openFile)
        guard case .confirm(let question) = model.places.last else {
            Issue.record("nothing was asked")
            return
        }
        #expect(question.state.question == "Open bill.pdf?")
        #expect(question.state.detail?.contains("application/pdf") == true)
        #expect(files.opened.isEmpty && question.state.selected == 0)
        question.move(by: 1)
        question.answer()
        await until { [files] in files.opened == [message.attachment] }
    }

    @Test func aThreadWithoutFilesHasNothingToSave() async {
        await begin()
        model.perform(.saveFile)
        #expect(model.state.notice?.what == "There is no file here.")
    }

    @Test func quittingWaitsForNoTransfer() async {
        await begin()
        files.attachTrouble = FileTrouble(UserCopy("Stopped.", next: "-"), isCancelled: true)
        model.perform(.attach("cat.png"))
        await model.shutDown()
        #expect(model.fileWork.isEmpty)
    }

    @Test func uploadsAreFollowed() async {
        await begin()
        let id = UUID.example(7)
        fixture.service.transferRelay.send([id: TransferProgress(moved: 43, total: 100)])
        await until { [model] in model.thread?.state.transfers[id]?.percent == 43 }
    }
}
