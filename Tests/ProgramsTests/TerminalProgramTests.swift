import FoundationEssentials
import Programs
import Testing

@Suite struct TerminalProgramTests {
    private let runner = ProgramRunner(environment: ["PATH": "/usr/bin:/bin"])

    @Test func aProgramThatEndsWellReturns() async throws {
        try await runner.runOnTerminal(["true"], environment: [:])
    }

    @Test func itsExitStatusAndSignalAreTold() async {
        await #expect(throws: ProgramError.failed(status: 3)) {
            try await runner.runOnTerminal(["sh", "-c", "exit 3"], environment: [:])
        }
        await #expect(throws: ProgramError.crashed(signal: 9)) {
            try await runner.runOnTerminal(["sh", "-c", "kill -9 $$"], environment: [:])
        }
    }

    @Test func anUnknownProgramIsNotFound() async {
        await #expect(throws: ProgramError.notFound) {
            try await runner.runOnTerminal(["no-such-editor"], environment: [:])
        }
        await #expect(throws: ProgramError.notFound) { try await runner.runOnTerminal([], environment: [:]) }
    }

    @Test func itEditsAFileAndSeesTheWholeEnvironment() async throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).txt").path
        defer { try? FileManager.default.removeItem(atPath: path) }  // leftovers in the temporary directory
        try await runner.runOnTerminal(
            ["sh", "-c", "printf '%s' \"$WORD\" > \"$0\"", path], environment: ["WORD": "hello"])
        #expect(try Data(contentsOf: URL(filePath: path)) == Data("hello".utf8))
    }

    @Test func ignoredSignalsOfOursAreNotInherited() async throws {
        // Bit 12 of SigIgn is SIGPIPE, which Swift's runtime or we may ignore.
        try await runner.runOnTerminal(
            [
                "sh", "-c",
                "test $((0x$(sed -n 's/^SigIgn:[[:space:]]*//p' /proc/self/status) & 0x1000)) -eq 0",
            ],
            environment: ["PATH": "/usr/bin:/bin"])
    }
}
