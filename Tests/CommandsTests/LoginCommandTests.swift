import Models
import Testing

@testable import Commands

@Suite struct LoginCommandTests {
    private let paper = Paper()

    private func run(_ words: [String], _ prompt: ScriptedPrompt, _ desk: FakeDesk) async throws -> ExitCode {
        guard case .login(let arguments) = try Invocation.parse(["login"] + words) else { return .system }
        return await LoginCommand(arguments, desk: desk, prompt: prompt, console: paper.console).run()
    }

    @Test func whatIsNotSaidIsAsked() async throws {
        let (prompt, desk) = (
            ScriptedPrompt(["chat.example.test", "ana@example.test", "", "hush"]), FakeDesk()
        )
        #expect(try await run([], prompt, desk) == .done)
        #expect(prompt.questions == ["Server", "E-mail", "Make a new account? [y/N]", "*Password"])
        #expect(
            desk.request
                == LoginRequest(
                    place: SignInPlace(server: "chat.example.test"), key: "own", email: "ana@example.test",
                    password: "hush"))
        #expect(paper.said.contains("Signed in: ana@example.test at https://chat.example.test."))
        #expect(paper.complaints.isEmpty)
    }

    @Test func everyOptionReachesTheDesk() async throws {
        let (prompt, desk) = (ScriptedPrompt(["no", "hush"]), FakeDesk())
        let words = [
            "http://chat.example.test", "--key", "sb_publishable_1", "--email=ana@example.test", "--label",
            "work\u{1B}",
            "--ca-file", "ca.pem", "--allow-http",
        ]
        #expect(try await run(words, prompt, desk) == .done)
        #expect(
            desk.request
                == LoginRequest(
                    place: SignInPlace(
                        server: "http://chat.example.test", caFile: "ca.pem", allowsPlainHTTP: true),
                    key: "sb_publishable_1", email: "ana@example.test", password: "hush", label: "work"))
    }

    @Test func aNewAccountNeedsNamesAndAPasswordTypedTwice() async throws {
        let answers = ["ana@example.test", "y", "ana", "", "hush", "hash", "hush", "hush"]
        let (prompt, desk) = (ScriptedPrompt(answers), FakeDesk())
        #expect(try await run(["chat.example.test"], prompt, desk) == .done)
        #expect(desk.request?.newcomer == .init(username: "ana", displayName: "ana"))
        #expect(desk.request?.password == "hush")
        #expect(paper.complaints.contains("not the same"))
        #expect(paper.said.contains("Made an account"))
    }

    @Test func answersCanComeFromAPipe() async throws {
        let prompt = ScriptedPrompt(["ana", "Ana L", "hush"], isInteractive: false)
        let desk = FakeDesk()
        #expect(try await run(["a.test", "--sign-up", "--email", "ana@example.test"], prompt, desk) == .done)
        #expect(desk.request?.newcomer == .init(username: "ana", displayName: "Ana L"))
        #expect(prompt.questions.last == "*Password")
    }

    @Test func aServerThatTellsNoKeyMakesAPersonGiveIt() async throws {
        let prompt = ScriptedPrompt(["sb_publishable_1", "ana@example.test", "n", "hush"])
        let desk = FakeDesk(key: .failure(.keyNeeded))
        #expect(try await run(["a.test"], prompt, desk) == .done)
        #expect(prompt.questions.first == "Publishable key")
        #expect(desk.request?.key == "sb_publishable_1")
        #expect(try await run(["a.test"], ScriptedPrompt([], isInteractive: false), desk) == .usage)
        #expect(paper.complaints.contains("This server wants a key."))
    }

    @Test func aServerThatTakesNobodyNewSaysSoBeforeItIsAsked() async throws {
        let (prompt, desk) = (ScriptedPrompt(["ana@example.test", "hush"]), FakeDesk(takesNewcomers: false))
        #expect(try await run(["a.test", "--sign-up"], prompt, desk) == .refused)
        #expect(prompt.questions.isEmpty)
        #expect(try await run(["a.test"], prompt, desk) == .done)
        #expect(prompt.questions == ["E-mail", "*Password"])
    }

    @Test func whoHasTheAccountOpenIsTold() async throws {
        let desk = FakeDesk(kept: [.example("ana", holder: "process 7\u{7} on pts/1")])
        #expect(try await run(["a.test"], ScriptedPrompt(["ana@example.test", "n", "hush"]), desk) == .done)
        #expect(paper.said.contains("The account is open in another place: process 7 on pts/1."))
    }

    @Test(arguments: [
        (SignInError.wrongPassword, ExitCode.refused), (.keyRefused, .refused),
        (.addressNotConfirmed, .later),
        (.rateLimited, .later), (.unreachable(.unreachable), .unavailable),
        (.unreachable(.noSuchName), .unavailable),
        (.unreachable(.certificate(UserCopy("It expired.", next: "Tell them."))), .untrusted),
        (.unreachable(.trust(UserCopy("It is not there.", next: "Look."))), .configuration),
        (.badServerAddress, .usage), (.insecureServer, .usage), (.secretKey, .usage),
        (.tablesMissing, .unavailable),
        (.notKept(UserCopy("The disk is full.", next: "Free some.")), .inputOutput),
    ])
    func everyRefusalHasACodeAndASentence(_ error: SignInError, _ code: ExitCode) async throws {
        let prompt = ScriptedPrompt(["ana@example.test", "n", "hush"])
        #expect(try await run(["a.test"], prompt, FakeDesk(refusal: error)) == code)
        #expect(paper.complaints == "\(error.userCopy.what) \(error.userCopy.next)\n")
        #expect(paper.said.isEmpty)
    }

    @Test func anEndOfTheInputIsNamed() async throws {
        #expect(try await run(["a.test"], ScriptedPrompt([], isInteractive: false), FakeDesk()) == .usage)
        #expect(paper.complaints.contains("E-mail: the input ended before that."))
        #expect(try await run(["a.test"], ScriptedPrompt(["a@b", "n", ""]), FakeDesk()) == .usage)
        #expect(paper.complaints.contains("Password: that is missing."))
    }
}
