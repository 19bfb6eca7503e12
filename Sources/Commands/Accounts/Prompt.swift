import Models

/// Where a command gets what it asks for.
package protocol Prompt: Sendable {
    /// Whether somebody sits there; otherwise the answers come line by line from a file or a pipe, and nothing is
    /// shown.
    var isInteractive: Bool { get }
    /// - Returns: The answer without its line end.
    func line(_ question: String) async throws(PromptError) -> String
    /// As `line`, and what is typed is not shown.
    func secret(_ question: String) async throws(PromptError) -> String
}

/// Why a question has no answer.
package enum PromptError: Error, Equatable, Sendable {
    /// Nothing was given where something is needed; the question.
    case missing(String)
    /// The input ended before the question was answered.
    case ended(String)
    /// The answer is not UTF-8.
    case notText
    /// In bytes.
    case tooLong(limit: Int)
    /// The system's `errno`.
    case failed(code: Int32)

    package var userCopy: UserCopy {
        switch self {
        case .missing(let question):
            UserCopy("\(question): that is missing.", next: "Start again and give it.")
        case .ended(let question):
            UserCopy("\(question): the input ended before that.", next: "Give each answer a line of its own.")
        case .notText: UserCopy("The answer is not UTF-8.", next: "Set the terminal to UTF-8.")
        case .tooLong(let limit): UserCopy("The answer is too long.", next: "Give at most \(limit) letters.")
        case .failed: UserCopy("The terminal cannot be read.", next: "Try it in another terminal.")
        }
    }
}
