import Dispatch
import Glibc
import Synchronization

/// Asks on a terminal, or reads the answers from whatever standard input is.
package final class TerminalPrompt: Prompt {
    /// Bytes of one answer.
    static let limit = 4_096

    package let isInteractive: Bool
    private let input: Int32
    private let output: Int32
    private let queue = DispatchQueue(label: "prompt")
    /// Read and not asked for yet; only files and pipes give more than a line at a time.
    private let rest = Mutex<[UInt8]>([])

    /// - Parameters:
    ///   - input: Where answers come from.
    ///   - output: Where questions are shown, when the input is a terminal.
    package init(input: Int32 = STDIN_FILENO, output: Int32 = STDERR_FILENO) {
        self.input = input
        self.output = output
        isInteractive = isatty(input) == 1
    }

    package func line(_ question: String) async throws(PromptError) -> String {
        try await ask(question, isSecret: false)
    }

    package func secret(_ question: String) async throws(PromptError) -> String {
        try await ask(question, isSecret: true)
    }

    /// Reading blocks, so it has a thread of its own.
    private func ask(_ question: String, isSecret: Bool) async throws(PromptError) -> String {
        let result: Result<String, PromptError> = await withCheckedContinuation { continuation in
            queue.async { @Sendable [self] in
                continuation.resume(returning: answer(question, isSecret: isSecret))
            }
        }
        return try result.get()
    }

    private func answer(_ question: String, isSecret: Bool) -> Result<String, PromptError> {
        let shown = "\(question): "
        let silence = isSecret && isInteractive ? Silence(of: input, showing: shown, on: output) : nil
        if silence == nil, isInteractive { Console(output: output, errors: output).print(Array(shown.utf8)) }
        defer { silence?.end() }
        do throws(PromptError) {
            let bytes = try bytesOfLine(question)
            guard let text = String(validating: bytes, as: UTF8.self) else { return .failure(.notText) }
            return .success(text)
        } catch { return .failure(error) }
    }

    private func bytesOfLine(_ question: String) throws(PromptError) -> [UInt8] {
        var bytes = rest.withLock { rest in
            defer { rest = [] }
            return rest
        }
        while true {
            if let end = bytes.firstIndex(of: 0x0A) {
                let line = bytes[..<end]
                rest.withLock { $0 = Array(bytes[(end + 1)...]) }
                return line.last == 0x0D ? Array(line.dropLast()) : Array(line)
            }
            guard bytes.count <= Self.limit else { throw .tooLong(limit: Self.limit) }
            var room = [UInt8](repeating: 0, count: Self.limit)
            let count = read(input, &room, room.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw .failed(code: errno) }
            guard count > 0 else {
                guard bytes.isEmpty else { return bytes }
                throw .ended(question)
            }
            bytes += room.prefix(count)
        }
    }
}
