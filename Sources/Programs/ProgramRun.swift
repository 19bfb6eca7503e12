import CSystem
import Glibc

/// One run of one program, supervised by the thread that calls `supervise`.
final class ProgramRun {
    private let program: Program
    private let path: String
    private let variables: [String: String]
    private let cancellation: Cancellation

    private var output = OutputPipe()
    private var errors = OutputPipe()
    private var process: pid_t = 0
    private var watch: Int32 = -1
    /// Why we ended it; `nil` while we did not.
    private var verdict: ProgramError?

    /// Keeps of standard error; the rest is read and dropped.
    private static let errorLimit = 4_096
    /// How often to look after a program where the kernel cannot tell us.
    private static let glance = Duration.milliseconds(20)
    /// What a program that has ended may still have in its pipes is there at once.
    private static let drainTime = Duration.seconds(1)

    init(_ program: Program, path: String, variables: [String: String], cancellation: Cancellation) {
        self.program = program
        self.path = path
        self.variables = variables
        self.cancellation = cancellation
    }

    deinit {
        if watch >= 0 { _ = close(watch) }
    }

    func supervise() -> Ended {
        do throws(ProgramError) {
            try start()
        } catch {
            return .failure(error)
        }
        let deadline = ContinuousClock.now + program.limits.time
        var end = collect(waits: false)
        while end == nil {
            wait(until: deadline)
            end = collect(waits: verdict != nil)
        }
        drain()
        return judged(end)
    }

    // MARK: Starting

    private func start() throws(ProgramError) {
        let input = program.input.withUnsafeBytes { pl_memory_file($0.baseAddress, $0.count) }
        guard input >= 0 else { throw .cannotStart(code: errno) }
        defer { _ = close(input) }
        let outputEnd = try output.open()
        defer { _ = close(outputEnd) }
        let errorsEnd = try errors.open()
        defer { _ = close(errorsEnd) }
        let words = [path] + program.options + (program.operands.isEmpty ? [] : ["--"] + program.operands)
        let settings = variables.map { "\($0.key)=\($0.value)" }
        guard !(words + settings).contains(where: { $0.utf8.contains(0) }) else {
            throw .cannotStart(code: EINVAL)
        }
        let code = withCStrings(words) { arguments in
            withCStrings(settings) { environment in
                path.withCString { path in
                    var start = pl_program()
                    start.path = path
                    start.arguments = arguments
                    start.environment = environment
                    (start.input, start.output, start.errors) = (input, outputEnd, errorsEnd)
                    start.memory = program.limits.memory == .max ? 0 : UInt64(max(program.limits.memory, 1))
                    start.cpu_seconds = UInt64(max(program.limits.time.components.seconds, 0)) + 1
                    start.file_size = UInt64(max(program.limits.fileSize, 1))
                    start.open_files = 64
                    return pl_spawn(&start, &process)
                }
            }
        }
        guard code == 0 else { throw code == ENOENT ? .notFound : .cannotStart(code: code) }
        watch = pl_process_descriptor(process)
    }

    // MARK: Watching

    /// Until something is to be read, the program has ended, the time is up or it is to be ended.
    private func wait(until deadline: ContinuousClock.Instant) {
        let left = deadline - .now
        guard left > .zero else { return stop(.timedOut) }
        var waiting = [
            pollfd(fd: output.descriptor, events: Int16(POLLIN), revents: 0),
            pollfd(fd: errors.descriptor, events: Int16(POLLIN), revents: 0),
            pollfd(fd: watch, events: Int16(POLLIN), revents: 0),
            pollfd(fd: cancellation.readEnd, events: Int16(POLLIN), revents: 0),
        ]
        let time = watch >= 0 ? left : min(left, Self.glance)
        let ready = poll(&waiting, nfds_t(waiting.count), time.pollMilliseconds)
        guard ready > 0 else { return }
        if waiting[3].revents != 0 { return stop(.cancelled) }
        read()
    }

    private func read() {
        output.read(keeping: program.limits.output)
        errors.read(keeping: Self.errorLimit)
        if output.hasOverflowed { stop(.tooMuchOutput) }
    }

    private func stop(_ reason: ProgramError) {
        guard verdict == nil else { return }
        verdict = reason
        _ = kill(-process, SIGKILL)
    }

    // MARK: Ending

    private enum End {
        case exited(Int32)
        case killed(Int32)
        case lost
    }

    /// The group is ended while the leader's number is still its own: before it is collected.
    private func collect(waits: Bool) -> End? {
        guard waits || pl_has_ended(process) != 0 else { return nil }
        _ = kill(-process, SIGKILL)
        var value: Int32 = 0
        switch Int(pl_collect(process, &value)) {
        case PL_EXITED: return .exited(value)
        case PL_KILLED: return .killed(value)
        default: return .lost
        }
    }

    private func drain() {
        let deadline = ContinuousClock.now + Self.drainTime
        while verdict == nil, output.descriptor >= 0 || errors.descriptor >= 0 {
            let left = deadline - .now
            guard left > .zero else { return }
            var waiting = [
                pollfd(fd: output.descriptor, events: Int16(POLLIN), revents: 0),
                pollfd(fd: errors.descriptor, events: Int16(POLLIN), revents: 0),
            ]
            _ = poll(&waiting, nfds_t(waiting.count), left.pollMilliseconds)
            read()
        }
    }

    private func judged(_ end: End?) -> Ended {
        if let verdict { return .failure(verdict) }
        switch end {
        case .exited(0): return .success(ProgramOutput(output: output.bytes, errors: errors.bytes))
        case .exited(let status): return .failure(.failed(status: status))
        case .killed(SIGXCPU): return .failure(.timedOut)
        case .killed(let signal): return .failure(.crashed(signal: signal))
        case .lost, nil: return .failure(.crashed(signal: 0))
        }
    }
}

extension Duration {
    /// Rounded up, so that waiting does not end early and spin.
    fileprivate var pollMilliseconds: Int32 {
        let (seconds, attoseconds) = components
        guard seconds < 1_000_000 else { return 1_000_000_000 }
        return Int32(seconds * 1_000 + attoseconds / 1_000_000_000_000_000 + 1)
    }
}

/// Lends an array of words as C wants it: terminated, with a NULL behind the last.
func withCStrings<Value>(
    _ words: [String], _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>?) -> Value
) -> Value {
    let pointers = words.map { strdup($0) } + [nil]
    defer { for pointer in pointers { free(pointer) } }
    return pointers.withUnsafeBufferPointer { body($0.baseAddress) }
}
