import FoundationEssentials
import Models
import Sync
import Terminal
import TestSupport
import ViewModels

@testable import Screens

/// A whole screen over a scripted engine.
@MainActor
final class Scene {
    let service = FakeChatService()
    let clock = ManualClock()
    let model: AppModel
    let screen: Screen
    var size: Size

    init(columns: Int = 80, rows: Int = 24, glyphs: Glyphs = .unicode, keys: Keymap = .standard) {
        let clock = clock
        model = AppModel(
            door: FakeDoor(), time: Timekeeper(now: { clock.now }, sleep: { try await clock.sleep($0) }))
        screen = Screen(style: ScreenStyle(clock: .utc, glyphs: glyphs), keys: keys)
        size = Size(columns: Columns(columns), rows: rows)
    }

    /// Signs ana in and gives her conversations; the link stands.
    func begin(_ conversations: [Conversation]) async {
        service.profiles.send(.ana)
        service.statuses.send(.connected)
        service.conversationRelay.send(conversations)
        model.add(Account(service: service, label: "team"))
        await until { [model] in
            model.list.state.isLoaded && model.state.accountNames == ["ana@team"]
                && model.accounts.allSatisfy { $0.banner.status == .connected }
        }
    }

    /// Opens a conversation and waits for its messages.
    func open(_ conversation: Conversation, people: [Person] = [.ana, .ben, .cleo]) async {
        service.memberRelay.send(people.map { Member(conversationID: conversation.id, person: $0) })
        model.open(ConversationRef(account: service.account, id: conversation.id))
        let stored = service.stored[conversation.id] ?? []
        await until { [model] in
            model.thread?.state.people.count == people.count
                && model.thread?.state.window.newest?.id == stored.last?.id
        }
    }

    func press(_ names: String...) {
        for name in names {
            if let key = Key(name) { screen.handle(.key(key), model: model) }
        }
    }

    func type(_ text: String) {
        for character in text { screen.handle(.key(.character(character)), model: model) }
    }

    var frame: Frame { screen.frame(of: model, size: size, now: clock.now) }
    var picture: String { TestSupport.picture(frame) }
}

/// Opens nothing.
struct FakeDoor: AccountDoor {
    func signIn(_ request: SignInRequest) async throws(SignInError) -> Account { throw .wrongPassword }
    func tryItHere() async throws(SignInError) -> Account { throw .rateLimited }
    func needsKey(_ address: String) async -> Bool? { nil }
    func nearbyServer() async -> String? { nil }
    func obstacle(to choice: FirstRunChoice) -> UserCopy? { nil }
}
