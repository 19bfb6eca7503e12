/// A helper program to run: no shell, no terminal, nothing of ours but what stands here.
package struct Program: Sendable, Equatable {
    /// A name to look up in the search path, or an absolute path.
    package var name: String
    /// Options of our own making.
    package var options: [String]
    /// Words from elsewhere, like file names. They follow a `--`, so none is read as an option.
    package var operands: [String]
    /// What it reads from its standard input.
    package var input: [UInt8]
    /// Set besides what `ProgramRunner` hands on.
    package var environment: [String: String]
    package var limits: ProgramLimits

    package init(
        _ name: String, options: [String] = [], operands: [String] = [], input: [UInt8] = [],
        environment: [String: String] = [:], limits: ProgramLimits = ProgramLimits()
    ) {
        self.name = name
        self.options = options
        self.operands = operands
        self.input = input
        self.environment = environment
        self.limits = limits
    }
}

/// What a helper may use before it is ended.
package struct ProgramLimits: Sendable, Equatable {
    /// From its start to its end.
    package var time: Duration
    /// Bytes of address space; `.max` sets no limit.
    package var memory: Int
    /// Bytes on its standard output.
    package var output: Int
    /// Bytes of the largest file it may write.
    package var fileSize: Int

    package init(
        time: Duration = .seconds(10), memory: Int = 512 << 20, output: Int = 4 << 20,
        fileSize: Int = 64 << 20
    ) {
        self.time = time
        self.memory = memory
        self.output = output
        self.fileSize = fileSize
    }
}

/// What a helper that ended well has written.
package struct ProgramOutput: Sendable, Equatable {
    package var output: [UInt8]
    /// The first 4 KiB of its standard error: for the log's sake, not for the screen.
    package var errors: [UInt8]

    package init(output: [UInt8] = [], errors: [UInt8] = []) {
        self.output = output
        self.errors = errors
    }
}

/// Why a helper did not do its work.
package enum ProgramError: Error, Equatable, Sendable {
    case notFound
    /// The number is the system's `errno`.
    case cannotStart(code: Int32)
    case timedOut
    case tooMuchOutput
    /// Ended by itself, and not well.
    case failed(status: Int32)
    /// Ended by a signal nobody here sent: a crash, or the system's memory limit.
    case crashed(signal: Int32)
    case cancelled

    /// What happened, in words for people.
    package var what: String {
        switch self {
        case .notFound: "The helper program is not installed."
        case .cannotStart: "The helper program cannot be started."
        case .timedOut: "The helper program took too long."
        case .tooMuchOutput: "The helper program wrote too much."
        case .failed, .crashed: "The helper program failed."
        case .cancelled: "The helper program was stopped."
        }
    }

    /// What to do about it.
    package var next: String {
        switch self {
        case .notFound: "Install it, or go on without."
        case .cannotStart: "Check that you may run it."
        case .timedOut, .tooMuchOutput, .failed, .crashed: "Go on without it, or try another file."
        case .cancelled: "Start it again when you want it."
        }
    }
}
