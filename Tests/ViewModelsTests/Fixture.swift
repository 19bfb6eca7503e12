import FoundationEssentials
import Models
import Sync
import TestSupport

@testable import ViewModels

extension Timekeeper {
    static func manual(_ clock: ManualClock) -> Timekeeper {
        Timekeeper(now: { clock.now }, sleep: { try await clock.sleep($0) })
    }
}

/// An app model over scripted engines.
@MainActor
final class Fixture {
    let service = FakeChatService()
    let clock = ManualClock()
    let door = ScriptedDoor()
    let model: AppModel

    init() { model = AppModel(door: door, time: .manual(clock)) }

    static let crew = Conversation.example("Release crew", 100, isGroup: true, members: 3)
    static let cleo = Conversation.example("Cleo", 101, minutes: 20, peer: .cleo)

    func ref(_ conversation: Conversation) -> ConversationRef {
        ConversationRef(account: service.account, id: conversation.id)
    }

    func begin(_ conversations: [Conversation] = [crew, cleo], files: (any FileDoor)? = nil) async {
        service.profiles.send(.ana)
        service.conversationRelay.send(conversations)
        model.add(Account(service: service, label: "team", files: files))
        await until { [model] in model.list.state.isLoaded && model.state.accountNames == ["ana@team"] }
    }

    /// Opens a conversation that has `count` stored messages of ben, one a minute.
    func open(_ conversation: Conversation, stored count: Int = 3) async {
        service.stored[conversation.id] = Self.messages(count, in: conversation.id)
        model.open(ref(conversation))
        let newest = service.stored[conversation.id]?.last?.id
        await until { [model] in model.thread?.state.window.newest?.id == newest }
    }

    static func messages(_ count: Int, in id: UUID) -> [Message] {
        (0..<count).map {
            .example("message \($0)", minutes: $0 - count, in: id, id: .example(UInt32(20_000 + $0)))
        }
    }

    func type(_ text: String) { for character in text { model.composer?.type(character) } }
}

/// A door whose answers a test chooses.
@MainActor
final class ScriptedDoor: AccountDoor {
    nonisolated init() {}
    private(set) var requests: [SignInRequest] = []
    var error: SignInError? = .wrongPassword
    var account: Account?
    var keyAnswer: Bool?
    var nearby: String?

    @MainActor func signIn(_ request: SignInRequest) async throws(SignInError) -> Account {
        requests.append(request)
        if let error { throw error }
        guard let account else { throw .rateLimited }
        return account
    }

    @MainActor func tryItHere() async throws(SignInError) -> Account {
        guard let account else { throw .rateLimited }
        return account
    }

    @MainActor func needsKey(_ address: String) async -> Bool? { keyAnswer }

    @MainActor func nearbyServer() async -> String? { nearby }

    nonisolated func obstacle(to choice: FirstRunChoice) -> UserCopy? {
        choice == .telegram ? UserCopy("TDLib is not installed.", next: "Install it.") : nil
    }
}
