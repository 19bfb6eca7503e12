import Models
import Testing

@testable import Commands

@Suite struct LogoutCommandTests {
    private let paper = Paper()

    private func run(_ word: String?, _ desk: FakeDesk) async -> ExitCode {
        await LogoutCommand(LogoutArguments(account: word), desk: desk, console: paper.console).run()
    }

    private let two = [KeptAccount.example("ana"), .example("ben", label: "home")]

    @Test(arguments: ["HOME", "ben@example.test", "ben@example.test@home", "62010203"])
    func anAccountIsMeantByWhatTellsItFromTheOthers(_ word: String) async {
        let desk = FakeDesk(kept: two)
        #expect(await run(word, desk) == .done)
        #expect(desk.signedOut == [two[1].id])
        #expect(paper.said.contains("Signed out: ben@example.test"))
    }

    @Test(arguments: ["https://chat.example.test", nil, "6201"]) func whatIsNotClearIsAskedBack(
        _ word: String?
    ) async {
        let same = [KeptAccount.example("ben"), .example("bo")]
        let desk = FakeDesk(kept: same)
        #expect(await run(word, desk) == .usage)
        #expect(desk.signedOut.isEmpty)
        #expect(paper.complaints.contains("Which one?") && paper.complaints.contains("bo@example.test"))
    }

    @Test func theOnlyAccountNeedsNoName() async {
        let desk = FakeDesk()
        #expect(await run(nil, desk) == .done)
        #expect(desk.signedOut.count == 1)
    }

    @Test func nobodyIsSignedOutByGuessing() async {
        #expect(await run("zoe", FakeDesk()) == .usage)
        #expect(paper.complaints.contains("There is no such account."))
        #expect(await run(nil, FakeDesk(kept: [])) == .usage)
        #expect(paper.complaints.contains("There is no account here."))
    }

    @Test func anAccountThatIsOpenIsLeftAlone() async {
        let desk = FakeDesk(inUse: "process 7 on pts/1")
        #expect(await run(nil, desk) == .later)
        #expect(desk.signedOut.isEmpty)
        #expect(paper.complaints.contains("process 7 on pts/1"))
    }
}

@Suite struct AccountsCommandTests {
    private let paper = Paper()

    private func run(_ accounts: [KeptAccount], json: Bool = false) async -> ExitCode {
        await AccountsCommand(
            AccountsArguments(printsJSON: json), desk: FakeDesk(kept: accounts), console: paper.console
        ).run()
    }

    @Test func theColumnsStandBelowEachOther() async {
        var away = KeptAccount.example("ben", label: "a\u{1B}[31m")
        away.isSignedIn = false
        #expect(await run([.example("ana", holder: "process 7"), away]) == .done)
        #expect(
            paper.said == """
                61010203  team   ana@example.test  https://chat.example.test  signed in, open in process 7
                62010203  a[31m  ben@example.test  https://chat.example.test  signed out

                """)
    }

    @Test func jsonIsForPrograms() async {
        #expect(await run([.example("ana")], json: true) == .done)
        #expect(
            paper.said
                == #"[{"email":"ana@example.test","id":"61010203-0405-0607-0809-0a0b0c0d0e0f","#
                + #""label":"team","server":"https://chat.example.test","signed_in":true}]"# + "\n")
        #expect(await run([], json: true) == .done)
        #expect(paper.said.hasSuffix("[]\n"))
    }

    @Test func noAccountIsSaid() async {
        #expect(await run([]) == .done)
        #expect(paper.said.contains("pingline login"))
    }
}
