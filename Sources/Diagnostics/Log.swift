/// Where a module says what it did: a file, never the terminal, which belongs to the screen.
///
/// A line holds the UTC time, the level, the subsystem, the event and its fields:
/// `2026-01-02T03:04:05.678Z info net connected attempt=2 after=0.120s`. Writing never throws and never
/// blocks on another line longer than a `write` takes; what the disk refuses is lost. Copies share one file.
package struct Log: Sendable {
    /// Takes everything and keeps nothing.
    package static let silent = Log(file: nil, subsystem: "-")

    private let file: LogFile?
    private let subsystem: StaticString

    /// A log into `file`.
    /// - Parameter subsystem: The word that tells the lines of one module from those of another.
    package init(to file: LogFile, subsystem: StaticString = "app") {
        self.init(file: file, subsystem: subsystem)
    }

    private init(file: LogFile?, subsystem: StaticString) {
        self.file = file
        self.subsystem = subsystem
    }

    /// The same file under another subsystem's name.
    package func named(_ subsystem: StaticString) -> Log {
        Log(file: file, subsystem: subsystem)
    }

    /// What helps only who looks for a fault.
    package func debug(_ event: StaticString, _ fields: KeyValuePairs<StaticString, LogValue> = [:]) {
        file?.write(.debug, subsystem, event, fields)
    }

    /// What happened in the ordinary course.
    package func info(_ event: StaticString, _ fields: KeyValuePairs<StaticString, LogValue> = [:]) {
        file?.write(.info, subsystem, event, fields)
    }

    /// What went wrong and was dealt with.
    package func warning(_ event: StaticString, _ fields: KeyValuePairs<StaticString, LogValue> = [:]) {
        file?.write(.warning, subsystem, event, fields)
    }

    /// What went wrong and cost the user something.
    package func error(_ event: StaticString, _ fields: KeyValuePairs<StaticString, LogValue> = [:]) {
        file?.write(.error, subsystem, event, fields)
    }
}

/// How much a line matters.
package enum LogLevel: Int, Comparable, Sendable, CaseIterable {
    case debug, info, warning, error

    var name: StaticString {
        switch self {
        case .debug: "debug"
        case .info: "info"
        case .warning: "warning"
        case .error: "error"
        }
    }

    package static func < (left: LogLevel, right: LogLevel) -> Bool { left.rawValue < right.rawValue }
}

/// Why there is no log file. The number is the system's `errno`.
package enum LogError: Error, Equatable, Sendable {
    case directory(code: Int32)
    case file(code: Int32)
}
