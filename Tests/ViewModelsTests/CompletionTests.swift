import Models
import Sync
import TestSupport
import Testing

@testable import ViewModels

@MainActor @Suite(.timeLimit(.minutes(1))) struct CompletionTests {
    private func line(
        _ typed: String,
        paths: @escaping @MainActor (String, Bool) async -> Completions = { _, _ in Completions() }
    ) -> CommandLineViewModel {
        var sources = CommandLineViewModel.Sources()
        sources.paths = paths
        sources.conversations = { ["Release crew", "Cleo"] }
        sources.people = { ["ben", "bella", "cleo"] }
        let line = CommandLineViewModel(sources: sources)
        line.edit { $0.insert(typed) }
        return line
    }

    private func folder(_ names: String..., common: String) -> Completions {
        Completions(
            candidates: names.map { Completions.Candidate("~/" + $0, label: $0) }, total: names.count,
            common: common)
    }

    @Test func oneNameIsCompletedWithABlankWhereSomethingFollows() {
        for (typed, whole) in [("att", "attach "), ("deta", "detach"), ("quo", "quoted"), ("ATT", "attach ")]
        {
            let line = line(typed)
            line.complete()
            #expect(line.state.text.text == whole)
            #expect(line.state.menu == nil)
        }
    }

    @Test func severalNamesAreCompletedAsFarAsTheyAgreeAndThenGoneThrough() {
        let line = line("list-")
        line.complete()
        #expect(line.state.text.text == "list-page-")
        #expect(line.state.menu?.candidates.map(\.label) == ["list-page-down", "list-page-up"])
        #expect(line.state.menu?.selected == nil)
        var seen: [String] = []
        for _ in 0..<3 {
            line.complete()
            seen.append(line.state.text.text)
        }
        #expect(seen == ["list-page-down", "list-page-up", "list-page-down"])
        line.complete(by: -1)
        #expect(line.state.text.text == "list-page-up")
        line.edit { $0.perform(.deleteBack) }
        #expect(line.state.menu == nil)
    }

    @Test func everyActionCanBeCompletedToItsName() {
        for action in Action.all {
            let name = action.command
            let line = line(String(name.prefix(max(name.count - 1, 1))))
            line.complete()
            for _ in 0..<200 where Action(command: line.state.text.text) != action { line.complete() }
            #expect(Action(command: line.state.text.text) == action, "\(name)")
        }
    }

    @Test func namesOfTwoWordsGoOn() {
        let line = line("focus c")
        line.complete()
        #expect(line.state.text.text == "focus composer")
    }

    @Test func conversationsAndPeopleAreArguments() {
        let go = line("go rel")
        go.complete()
        #expect(go.state.text.text == "go Release crew")
        let invite = line("invite b")
        invite.complete()
        #expect(invite.state.text.text == "invite be")
        #expect(invite.state.menu?.candidates.map(\.label) == ["ben", "bella"])
        let say = line("say at")
        say.complete()
        #expect(say.state.text.text == "say at")
    }

    @Test func aPathIsAskedForFromWhereItBegins() async {
        var asked: [String] = []
        let line = line("attach ~/My C") { typed, onlyFolders in
            asked.append("\(typed) \(onlyFolders)")
            return Completions(
                candidates: [Completions.Candidate("~/My Cat.png")], total: 1, common: "~/My Cat.png")
        }
        line.complete()
        await until { line.state.text.text == "attach ~/My Cat.png" }
        #expect(asked == ["~/My C false"])
    }

    @Test func aFolderIsAskedForByItsOwnCommand() async {
        var folders: [Bool] = []
        let line = line("save ") { _, onlyFolders in
            folders.append(onlyFolders)
            return Completions()
        }
        line.complete()
        await until { line.state.menu != nil }
        #expect(folders == [true])
        #expect(line.state.menu?.total == 0 && line.state.text.text == "save ")
    }

    @Test func whatStandsBehindTheCursorStays() async {
        let found = folder("cat.png", common: "~/cat.png")
        let line = line("attach ~/c tail") { _, _ in found }
        line.edit { text in for _ in 0..<5 { text.perform(.left) } }
        line.complete()
        await until { line.state.text.text == "attach ~/cat.png tail" }
        #expect(line.state.text.cursor == 16)
    }

    @Test func whatIsFoundTooLateIsNotTaken() async {
        let gate = Gate()
        let found = folder("cat.png", common: "~/cat.png")
        let line = line("attach ~/c") { _, _ in
            await gate.pass()
            return found
        }
        line.complete()
        await gate.arrival()
        line.edit { $0.insert("x") }
        gate.open()
        let next = self.line("attach ~/c") { _, _ in found }
        next.complete()
        await until { next.state.text.text == "attach ~/cat.png" }
        #expect(line.state.text.text == "attach ~/cx")
    }

    @Test func enterRightBehindTabWaitsForTheOneThatIsLookedFor() async {
        var done: [String] = []
        for (names, expected) in [(["cat.png"], ["attach ~/cat.png"]), (["cat.png", "cup"], [])] {
            let gate = Gate()
            let line = line("attach ~/c") { _, _ in
                await gate.pass()
                return Completions(
                    candidates: names.map { Completions.Candidate("~/" + $0) }, total: names.count,
                    common: names.count == 1 ? "~/cat.png" : "~/c")
            }
            line.complete()
            await gate.arrival()
            line.whenCompleted { done.append(line.state.text.text) }
            #expect(done.isEmpty)
            gate.open()
            await until { line.state.menu != nil || line.state.text.text == "attach ~/cat.png" }
            #expect(done == expected)
            done = []
        }
        line("quit").whenCompleted { done.append("at once") }
        #expect(done == ["at once"])
    }

    @Test func aSlashBehindAChosenFolderIsTheOneThatIsThere() async {
        let found = folder("a/", "b/", common: "~/")
        let line = line("save ~/") { _, _ in found }
        line.complete()
        await until { line.state.menu != nil }
        #expect(!line.acceptSlash())
        line.complete()
        #expect(line.state.text.text == "save ~/a/")
        #expect(line.acceptSlash())
        #expect(line.state.menu == nil && line.state.text.text == "save ~/a/")
    }

    @Test func theModelAsksTheOpenAccountsDisk() async {
        let fixture = Fixture()
        let files = ScriptedFiles()
        await fixture.begin(files: files)
        await fixture.open(Fixture.crew)
        fixture.model.openCommandLine(":", text: "attach ~/c")
        guard case .commandLine(let line) = fixture.model.places.last else {
            Issue.record("there is no command line")
            return
        }
        line.complete()
        await until { line.state.text.text == "attach ~/cat.png" }
    }
}
