import Glibc
import Models

/// Where a subcommand writes: text for people or programs, and complaints beside it.
package struct Console: Sendable {
    private let output: Int32
    private let errors: Int32

    /// Standard output and standard error.
    package static let standard = Console(output: STDOUT_FILENO, errors: STDERR_FILENO)

    /// - Parameters: File descriptors that stay open as long as the console is used.
    package init(output: Int32, errors: Int32) {
        self.output = output
        self.errors = errors
    }

    /// Writes a line to the output at once. A reader that went away is no error: there is nobody to tell.
    package func say(_ line: String) { Self.write(line + "\n", to: output) }

    /// Writes a text as it is.
    package func print(_ bytes: [UInt8]) { Self.write(bytes, to: output) }

    /// Writes a line to the errors at once.
    package func complain(_ line: String) { Self.write(line + "\n", to: errors) }

    /// Writes what happened and what to do to the errors.
    package func complain(_ copy: UserCopy) { complain("\(copy.what) \(copy.next)") }

    /// A text of somebody else's without anything that a terminal would obey.
    package static func clean(_ text: String) -> String {
        var clean = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned:
                break
            default: clean.append(scalar)
            }
        }
        return String(clean)
    }

    private static func write(_ text: String, to descriptor: Int32) {
        write(Array(text.utf8), to: descriptor)
    }

    private static func write(_ bytes: [UInt8], to descriptor: Int32) {
        var bytes = bytes[...]
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count > 0 {
                bytes = bytes.dropFirst(count)
            } else if errno != EINTR {
                return
            }
        }
    }
}
