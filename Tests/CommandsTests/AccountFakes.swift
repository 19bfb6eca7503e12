import FoundationEssentials
import Glibc
import Models
import Synchronization

@testable import Commands

/// What a command wrote, and to where.
final class Paper: Sendable {
    private let output: Int32
    private let errors: Int32

    init() {
        output = Self.sheet()
        errors = Self.sheet()
    }

    /// A file without a name.
    private static func sheet() -> Int32 {
        var template = Array((FileManager.default.temporaryDirectory.path + "/paper-XXXXXX").utf8CString)
        let descriptor = mkstemp(&template)
        unlink(template)
        return descriptor
    }

    deinit {
        close(output)
        close(errors)
    }

    var console: Console { Console(output: output, errors: errors) }
    var said: String { Self.text(output) }
    var complaints: String { Self.text(errors) }

    private static func text(_ descriptor: Int32) -> String {
        var room = [UInt8](repeating: 0, count: 1 << 16)
        let count = pread(descriptor, &room, room.count, 0)
        return String(decoding: room.prefix(max(count, 0)), as: UTF8.self)
    }
}

/// Answers from a script, and keeps the questions.
final class ScriptedPrompt: Prompt {
    let isInteractive: Bool
    private let answers: Mutex<[String]>
    private let asked = Mutex<[String]>([])

    init(_ answers: [String], isInteractive: Bool = true) {
        self.answers = Mutex(answers)
        self.isInteractive = isInteractive
    }

    var questions: [String] { asked.withLock { $0 } }

    func line(_ question: String) async throws(PromptError) -> String {
        asked.withLock { $0.append(question) }
        let answer = answers.withLock { $0.isEmpty ? nil : $0.removeFirst() }
        guard let answer else { throw .ended(question) }
        return answer
    }

    func secret(_ question: String) async throws(PromptError) -> String { try await line("*" + question) }
}

final class FakeDesk: AccountDesk {
    let ownKey: Result<String, SignInError>
    let refusal: SignInError?
    let takesNewcomers: Bool
    let kept: [KeptAccount]
    let inUse: String?
    private let requests = Mutex<[LoginRequest]>([])
    private let gone = Mutex<[AccountID]>([])

    init(
        key: Result<String, SignInError> = .success("own"), refusal: SignInError? = nil,
        takesNewcomers: Bool = true,
        kept: [KeptAccount] = [.example("ana")], inUse: String? = nil
    ) {
        ownKey = key
        self.refusal = refusal
        self.takesNewcomers = takesNewcomers
        self.kept = kept
        self.inUse = inUse
    }

    var request: LoginRequest? { requests.withLock { $0.last } }
    var signedOut: [AccountID] { gone.withLock { $0 } }

    func key(of place: SignInPlace) async throws(SignInError) -> String { try ownKey.get() }

    func look(at place: SignInPlace, key: String) async throws(SignInError) -> Bool { takesNewcomers }

    func signIn(_ request: LoginRequest) async throws(SignInError) -> KeptAccount {
        requests.withLock { $0.append(request) }
        if let refusal { throw refusal }
        return kept[0]
    }

    func accounts() async -> [KeptAccount] { kept }

    func signOut(_ id: AccountID) async throws(StoreError) {
        if let inUse { throw .inUse(holder: inUse) }
        gone.withLock { $0.append(id) }
    }
}

extension KeptAccount {
    static func example(_ name: String, label: String = "team", holder: String? = nil)
        -> KeptAccount
    {
        let number = UInt8(name.utf8.first ?? 0)
        return KeptAccount(
            id: AccountID(
                rawValue: UUID(uuid: (number, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15))),
            label: label,
            server: "https://chat.example.test", email: "\(name)@example.test", isSignedIn: true,
            holder: holder)
    }
}
