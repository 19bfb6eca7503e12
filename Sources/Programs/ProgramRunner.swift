import CSystem
import Diagnostics
import Dispatch
import Glibc

/// Runs helper programs, each supervised from a queue of its own that no other work waits for.
package struct ProgramRunner: Sendable {
    private let inherited: [String: String]
    private let log: Log

    /// - Parameter environment: Ours. A helper gets from it where programs, the desktop and the language are;
    ///   variables with other names, tokens among them, stay here.
    package init(environment: [String: String], log: Log = .silent) {
        inherited = environment.filter { Self.isHandedOn($0.key) }
        self.log = log.named("programs")
    }

    /// Where the program is, or `nil` when it is not installed or may not be run.
    package func find(_ name: String) -> String? {
        if name.hasPrefix("/") { return Self.isRunnable(name) ? name : nil }
        guard !name.isEmpty, !name.contains("/") else { return nil }
        let folders = (inherited["PATH"] ?? "/usr/local/bin:/usr/bin:/bin").split(separator: ":")
        // A relative folder would make the answer depend on where we happen to stand.
        return folders.lazy.filter { $0.hasPrefix("/") }.map { "\($0)/\(name)" }.first(where: Self.isRunnable)
    }

    /// Runs a program to its end.
    ///
    /// When it ends, however, everything it started and left in its process group is ended too. Cancelling
    /// the task ends it at once.
    /// - Returns: What it wrote, when it exits with 0.
    /// - Throws: `ProgramError`; what it wrote until then is dropped.
    package func run(_ program: Program) async throws(ProgramError) -> ProgramOutput {
        guard let path = find(program.name) else { throw .notFound }
        let variables = inherited.merging(program.environment) { _, own in own }
        let cancellation = try Cancellation()
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { (continuation: CheckedContinuation<Ended, Never>) in
                DispatchQueue(label: "program").async { @Sendable in
                    let run = ProgramRun(
                        program, path: path, variables: variables, cancellation: cancellation)
                    continuation.resume(returning: run.supervise())
                }
            }
        } onCancel: {
            cancellation.cancel()
        }
        switch result {
        case .success(let output): return output
        case .failure(let error):
            log.warning("failed", ["why": .word(error.word)])
            throw error
        }
    }

    private static func isRunnable(_ path: String) -> Bool {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return false }
        return access(path, X_OK) == 0
    }

    private static func isHandedOn(_ name: String) -> Bool {
        let names: Set<String> = [
            "PATH", "HOME", "USER", "LOGNAME", "LANG", "LANGUAGE", "TZ", "TERM", "COLORTERM", "TMPDIR",
            "DISPLAY",
            "WAYLAND_DISPLAY", "DBUS_SESSION_BUS_ADDRESS",
        ]
        return names.contains(name) || name.hasPrefix("LC_") || name.hasPrefix("XDG_")
    }
}

typealias Ended = Result<ProgramOutput, ProgramError>

extension ProgramError {
    fileprivate var word: StaticString {
        switch self {
        case .notFound: "not-found"
        case .cannotStart: "cannot-start"
        case .timedOut: "timed-out"
        case .tooMuchOutput: "too-much-output"
        case .failed: "failed"
        case .crashed: "crashed"
        case .cancelled: "cancelled"
        }
    }
}
