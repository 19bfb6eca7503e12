import Glibc
import Testing

@testable import Programs

private let runner = ProgramRunner(environment: ["PATH": "/usr/bin:/bin", "API_TOKEN": "hush", "LANG": "C"])

private func shell(_ script: String, input: [UInt8] = [], limits: ProgramLimits = ProgramLimits()) -> Program
{
    Program("/bin/sh", options: ["-c", script], input: input, limits: limits)
}

private func output(_ program: Program) async throws -> String {
    String(decoding: try await runner.run(program).output, as: UTF8.self)
}

@Test func aProgramReadsItsInputAndItsOutputComesBack() async throws {
    let big = [UInt8](repeating: UInt8(ascii: "x"), count: 1 << 20)
    let result = try await runner.run(Program("cat", input: big))
    #expect(result == ProgramOutput(output: big))
}

@Test func operandsAreNeverOptionsAndNoShellReadsThem() async throws {
    let words = try await output(
        Program("printf", options: [], operands: ["%s|", "-n", "--help", "$HOME", "`id`", "a b", "*"]))
    #expect(words == "-n|--help|$HOME|`id`|a b|*|")
}

@Test func onlyHarmlessVariablesAreHandedOn() async throws {
    var program = Program("/usr/bin/env")
    program.environment = ["EXTRA": "1"]
    let lines = try await output(program).split(separator: "\n").map(String.init)
    #expect(Set(lines) == ["PATH=/usr/bin:/bin", "LANG=C", "EXTRA=1"])
}

@Test func aMissingProgramIsNamedAsSuch() async {
    await #expect(throws: ProgramError.notFound) { try await runner.run(Program("no-such-program-here")) }
    await #expect(throws: ProgramError.notFound) { try await runner.run(Program("../bin/sh")) }
    await #expect(throws: ProgramError.notFound) { try await runner.run(Program("/etc/passwd")) }
    #expect(runner.find("sh") == "/usr/bin/sh")
}

@Test func aWordWithANulIsRefused() async {
    await #expect(throws: ProgramError.cannotStart(code: EINVAL)) {
        try await runner.run(Program("cat", operands: ["a\0b"]))
    }
}

@Test func anExitStatusIsAFailure() async {
    await #expect(throws: ProgramError.failed(status: 3)) { try await runner.run(shell("echo out; exit 3")) }
}

@Test func aCrashIsToldFromAFailure() async {
    await #expect(throws: ProgramError.crashed(signal: SIGSEGV)) {
        try await runner.run(shell("kill -SEGV $$"))
    }
}

@Test func aProgramThatTakesTooLongIsEnded() async {
    let limits = ProgramLimits(time: .milliseconds(50))
    await #expect(throws: ProgramError.timedOut) {
        try await runner.run(shell("exec sleep 600", limits: limits))
    }
}

@Test func aProgramThatWritesWithoutEndIsEnded() async {
    let limits = ProgramLimits(output: 10_000)
    await #expect(throws: ProgramError.tooMuchOutput) {
        try await runner.run(shell("exec yes", limits: limits))
    }
}

@Test func exactlyTheLimitIsStillAllowed() async throws {
    let limits = ProgramLimits(output: 10_000)
    let result = try await runner.run(shell("head -c 10000 /dev/zero", limits: limits))
    #expect(result.output.count == 10_000)
}

@Test func errorsAreKeptInPartAndBlockNobody() async throws {
    let result = try await runner.run(shell("head -c 1000000 /dev/zero >&2; echo done"))
    #expect(String(decoding: result.output, as: UTF8.self) == "done\n")
    #expect(result.errors.count == 4_096)
}

@Test func memoryAndFileSizeAreLimited() async throws {
    let limits = ProgramLimits(memory: 64 << 20, fileSize: 1 << 20)
    #expect(try await output(shell("ulimit -v; ulimit -c; ulimit -n", limits: limits)) == "65536\n0\n64\n")
    await #expect(throws: ProgramError.self) {
        try await runner.run(shell("exec tail -c 200000000 /dev/zero", limits: limits))
    }
}

@Test func signalsAreAsIfNobodyHadTouchedThem() async throws {
    signal(SIGPIPE, SIG_IGN)
    let status = try await output(Program("cat", operands: ["/proc/self/status"]))
    let masks = status.split(separator: "\n").filter { line in
        ["SigBlk", "SigIgn", "SigCgt"].contains { line.hasPrefix($0) }
    }
    #expect(masks.count == 3)
    #expect(masks.allSatisfy { $0.hasSuffix("0000000000000000") })
}

@Test func onlyThreeDescriptorsAreOpen() async throws {
    let extra = open("/dev/null", O_RDONLY)
    defer { close(extra) }
    // The fourth is the one `ls` reads the folder with.
    #expect(try await output(shell("exec ls /proc/self/fd")) == "0\n1\n2\n3\n")
}

@Test func whatAProgramLeavesBehindInItsGroupIsEndedToo() async throws {
    // Without that, the pipe that `sleep` holds would stay open for ten minutes.
    let process = try await output(shell("sleep 600 & echo $!"))
    let number = try #require(pid_t(process.dropLast()))
    #expect(kill(number, 0) != 0 || isZombie(number))
}

@Test func cancellingTheTaskEndsTheProgram() async throws {
    let task = Task {
        try await runner.run(shell("exec sleep 600", limits: ProgramLimits(time: .seconds(600))))
    }
    task.cancel()
    await #expect(throws: ProgramError.cancelled) { try await task.value }
}

@Test func manyProgramsRunSideBySide() async throws {
    try await withThrowingTaskGroup(of: String.self) { group in
        for number in 0..<40 { group.addTask { try await output(shell("echo \(number)")) } }
        var seen: Set<String> = []
        for try await line in group { seen.insert(line) }
        #expect(seen.count == 40)
    }
}

/// An orphan that was killed is collected by process 1, at its leisure.
private func isZombie(_ process: pid_t) -> Bool {
    let descriptor = open("/proc/\(process)/stat", O_RDONLY)
    guard descriptor >= 0 else { return true }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 256)
    let count = max(read(descriptor, &bytes, bytes.count), 0)
    return String(decoding: bytes.prefix(count), as: UTF8.self).contains(") Z ")
}
