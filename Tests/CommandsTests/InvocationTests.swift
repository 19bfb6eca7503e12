import Commands
import Testing

@Suite struct InvocationTests {
    @Test func noArgumentOpensTheScreen() throws {
        #expect(try Invocation.parse([]) == .screen)
    }

    @Test func optionsOfServeAreReadInBothSpellings() throws {
        var expected = ServeArguments()
        expected.port = 0
        expected.directory = "/srv/chat data"
        expected.isBehindProxy = true
        expected.accessTokenLifetime = 20
        expected.printsJSON = true
        let spaced = [
            "serve", "--port", "0", "--directory", "/srv/chat data", "--behind-proxy", "--token-lifetime",
            "20",
            "--json",
        ]
        let joined = [
            "serve", "--port=0", "--directory=/srv/chat data", "--behind-proxy", "--token-lifetime=20",
            "--json",
        ]
        #expect(try Invocation.parse(spaced) == .serve(expected))
        #expect(try Invocation.parse(joined) == .serve(expected))
    }

    @Test(arguments: ["demo", "serve", "login", "logout", "accounts"])
    func everyCommandHelps(_ command: String) throws {
        #expect(try Invocation.parse([command, "--help"]) == .help)
        #expect(try Invocation.parse([command, "-h"]) == .help)
    }

    @Test func theOutageOfTheDemoIsHandedOnAsTyped() throws {
        #expect(try Invocation.parse(["demo", "--outage", "8@20"]) == .demo(DemoArguments(outage: "8@20")))
    }

    @Test(arguments: [
        (["frobnicate"], UsageError.unknownCommand("frobnicate")), (["--frob"], .unknownOption("--frob")),
        (["serve", "--port"], .missingValue(option: "--port")),
        (["serve", "--port", "70000"], .notANumber(option: "--port", lowest: 0, highest: 65_535)),
        (["serve", "--port=x"], .notANumber(option: "--port", lowest: 0, highest: 65_535)),
        (["serve", "--sockets", "0"], .notANumber(option: "--sockets", lowest: 1, highest: 100_000)),
        (["serve", "--sockets=many"], .notANumber(option: "--sockets", lowest: 1, highest: 100_000)),
        (
            ["serve", "--joins-per-second", "-1"],
            .notANumber(option: "--joins-per-second", lowest: 1, highest: 100_000)
        ),
        (
            ["serve", "--messages-per-second", "1e3"],
            .notANumber(option: "--messages-per-second", lowest: 1, highest: 100_000)
        ), (["serve", "--idle-limit=0"], .notANumber(option: "--idle-limit", lowest: 1, highest: 3_600)),
        (
            ["serve", "--refresh-window", "-1"],
            .notANumber(option: "--refresh-window", lowest: 0, highest: 600)
        ), (["serve", "--sockets"], .missingValue(option: "--sockets")),
        (["demo", "extra"], .unknownOption("extra")), (["login", "--pass"], .unknownOption("--pass")),
        (["login", "a.b", "c.d=e"], .tooMany("c.d=e")), (["login", "--key"], .missingValue(option: "--key")),
        (["login", "a.b", "--password", "hush"], .passwordArgument),
        (["login", "a.b", "--password=hush"], .passwordArgument), (["logout", "a", "b"], .tooMany("b")),
        (["logout", "--all"], .unknownOption("--all")), (["accounts", "a"], .unknownOption("a")),
    ])
    func whatDoesNotFitIsNamed(_ arguments: [String], _ error: UsageError) {
        #expect(throws: error) { try Invocation.parse(arguments) }
        #expect(!error.text.isEmpty)
    }

    @Test func theLimitsOfServeAreOptions() throws {
        var expected = ServeArguments()
        expected.sockets = 600
        expected.joinsPerSecond = 50
        expected.messagesPerSecond = 7
        expected.refreshWindow = 0
        expected.idleLimit = 90
        expected.accountFiles = 100
        expected.allFiles = 2_000
        expected.keptFree = 0
        let words = [
            "serve", "--sockets", "600", "--joins-per-second=50", "--messages-per-second", "7",
            "--refresh-window=0", "--idle-limit", "90", "--account-files", "100", "--all-files=2000",
            "--keep-free", "0",
        ]
        #expect(try Invocation.parse(words) == .serve(expected))
    }

    @Test(arguments: [
        "--host", "--port", "--directory", "--behind-proxy", "--token-lifetime", "--refresh-window",
        "--idle-limit", "--sockets", "--account-files", "--all-files", "--keep-free",
        "--joins-per-second", "--messages-per-second", "--json", "--outage", "--sign-up", "--email", "--key",
        "--label", "--ca-file", "--allow-http",
    ])
    func theHelpNamesEveryOption(_ option: String) {
        #expect(Help.text.contains(option + " "))
    }
}
