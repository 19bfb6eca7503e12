import FoundationEssentials
import Glibc
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

    @Test(.timeLimit(.minutes(1))) func aProgramThatIsStartedApartHasNoTerminalAndItsOwnSession() async throws
    {
        let path = FileManager.default.temporaryDirectory.appending(path: "\(UUID())").path
        defer { try? FileManager.default.removeItem(atPath: path) }  // leftovers in the temporary directory
        #expect(mkfifo(path, 0o600) == 0)
        try await runner.startApart(
            ["sh", "-c", "readlink /proc/$$/fd/0 > \"$0\"", path], environment: ["PATH": "/usr/bin:/bin"])
        let pipe = open(path, O_RDONLY | O_CLOEXEC)  // waits for the writer
        defer { close(pipe) }
        var bytes = [UInt8](repeating: 0, count: 64)
        let count = read(pipe, &bytes, bytes.count)
        #expect(String(decoding: bytes.prefix(max(count, 0)), as: UTF8.self) == "/dev/null\n")
        await #expect(throws: ProgramError.notFound) {
            try await runner.startApart(["no-such-viewer"], environment: [:])
        }
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
