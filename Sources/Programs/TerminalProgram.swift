import CSystem
import Dispatch
import Glibc

extension ProgramRunner {
    /// Runs a program of the user's own on our terminal, such as their editor, and waits for its end.
    ///
    /// Nothing else may use the terminal meanwhile. It shares our process group: what stops or interrupts the job
    /// reaches both. It gets the whole environment, for it is the user's program and not our helper.
    /// - Parameter words: The program's name or path, then its arguments; at least one.
    /// - Throws: `.notFound`, `.cannotStart`, `.failed` or `.crashed`.
    package func runOnTerminal(_ words: [String], environment: [String: String]) async throws(ProgramError) {
        try await run(words, environment: environment, with: pl_spawn_on_terminal)
    }

    /// Starts a program of the user's own, such as a viewer, that goes on when we end. It has no terminal, a session
    /// of its own and the whole environment.
    /// - Parameter words: The program's name or path, then its arguments; at least one.
    /// - Throws: `.notFound`, `.cannotStart`, `.failed` or `.crashed`. How the program itself ends is not told.
    package func startApart(_ words: [String], environment: [String: String]) async throws(ProgramError) {
        guard let name = words.first, let path = find(name) else { throw .notFound }
        // It forks: what we wait for has ended before the program has begun.
        let start = ["setsid", "--fork", path] + words.dropFirst()
        try await run(start, environment: environment, with: pl_spawn_apart)
    }

    private typealias Spawn = (
        UnsafePointer<CChar>?, UnsafePointer<UnsafeMutablePointer<CChar>?>?,
        UnsafePointer<UnsafeMutablePointer<CChar>?>?, UnsafeMutablePointer<pid_t>?
    ) -> Int32

    private func run(_ words: [String], environment: [String: String], with spawn: Spawn)
        async throws(ProgramError)
    {
        guard let name = words.first, let path = find(name) else { throw .notFound }
        let settings = environment.map { "\($0.key)=\($0.value)" }
        guard !(words + settings).contains(where: { $0.utf8.contains(0) }) else {
            throw .cannotStart(code: EINVAL)
        }
        var process: pid_t = 0
        let code = withCStrings([path] + words.dropFirst()) { arguments in
            withCStrings(settings) { spawn(path, arguments, $0, &process) }
        }
        guard code == 0 else { throw code == ENOENT ? .notFound : .cannotStart(code: code) }
        let (end, value) = await Self.end(of: process)
        if end == PL_KILLED { throw .crashed(signal: value) }
        if end != PL_EXITED || value != 0 { throw .failed(status: value) }
    }

    private static func end(of process: pid_t) async -> (end: Int32, value: Int32) {
        await withCheckedContinuation { continuation in
            DispatchQueue(label: "program on the terminal").async { @Sendable in
                var value: Int32 = 0
                let end = pl_collect(process, &value)
                continuation.resume(returning: (end, value))
            }
        }
    }
}
