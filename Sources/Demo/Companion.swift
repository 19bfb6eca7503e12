import Backend
import Diagnostics
import FoundationEssentials
import Models
import SupabaseBackend

/// One of the friends: a signed-in client like any other, who reads, types and answers.
///
/// Only what the person at the screen writes is answered, so companions never talk each other into the night.
/// A message that is followed by another before it was read is answered together with it.
actor Companion {
    nonisolated let role: Role
    let backend: any ChatBackend
    private let cast: Cast
    let pace: Pace
    private let log: Log
    private var book: ReplyBook
    var random: SeededRandom
    /// Conversations whose channel is held, for typing and presence.
    private var channels: Set<UUID> = []
    /// The last message of the person at the screen in each conversation that was taken up.
    private var latest: [UUID: UUID] = [:]

    init?(_ role: Role, backend: any ChatBackend, cast: Cast, pace: Pace, seed: UInt64, log: Log = .silent) {
        guard let persona = Persona.of(role), let number = Role.companions.firstIndex(of: role) else {
            return nil
        }
        self.role = role
        self.backend = backend
        self.cast = cast
        self.pace = pace
        self.log = log
        book = ReplyBook(persona, seed: seed &+ UInt64(number))
        random = SeededRandom(seed: seed &+ UInt64(number) &* 1_000)
    }

    /// Takes part until the task is cancelled or the session is over.
    func run() async {
        await withDiscardingTaskGroup { group in
            while !Task.isCancelled {
                do throws(BackendError) {
                    for await event in try await backend.connect() { await take(event, in: &group) }
                } catch {
                    guard error.isTransient else { break }
                }
                guard await pace.wait(.seconds(1)) else { break }
            }
            group.cancelAll()
        }
        log.info("companion ended")
    }

    /// Says something without being asked, typing first.
    func say(_ text: String, in conversation: UUID) async {
        await type(text, in: conversation)
        await send(text, in: conversation)
    }

    // MARK: Listening

    private func take(_ event: BackendEvent, in group: inout DiscardingTaskGroup) async {
        switch event {
        case .live: await catchUp(in: &group)
        case .message(let change): await hear(change.message, in: &group)
        case .conversation(let id, _): await hold(id)
        case .member(let change):
            if change.userID == backend.userID, !change.hasLeft { await hold(change.conversationID) }
        case .feedLost, .messageRemoved, .messageRenamed, .reaction, .typing, .presence, .ended: break
        }
    }

    /// What was written while the link was away, or before the first.
    private func catchUp(in group: inout DiscardingTaskGroup) async {
        let heads: [ConversationHead]
        do throws(BackendError) { heads = try await backend.conversations(before: nil) } catch { return }
        for head in heads {
            await hold(head.conversation.id)
            if head.conversation.unreadCount > 0, let last = head.conversation.lastMessage {
                await hear(last, in: &group)
            }
        }
    }

    private func hold(_ conversation: UUID) async {
        guard channels.insert(conversation).inserted else { return }
        await backend.joinChannel(of: conversation)
    }

    private func hear(_ message: Message, in group: inout DiscardingTaskGroup) async {
        guard message.senderID != backend.userID else { return }
        let conversation = message.conversationID
        await hold(conversation)
        let isQuestionForUs = message.senderID == cast.you && latest[conversation] != message.id
        guard isQuestionForUs || message.senderID != cast.you else { return }  // an edit or a second copy
        if isQuestionForUs { latest[conversation] = message.id }
        _ = await backend.perform(.markDelivered(conversationID: conversation, messageID: message.id))
        group.addTask { await self.read(message, answers: isQuestionForUs) }
    }

    // MARK: Answering

    private func read(_ message: Message, answers: Bool) async {
        let conversation = message.conversationID
        guard await pace.wait(pace.tempo.reading.random(using: &random)) else { return }
        _ = await backend.perform(.markRead(conversationID: conversation, messageID: message.id))
        guard answers, !message.body.isEmpty, latest[conversation] == message.id else { return }
        let present = await companions(in: conversation)
        let speakers = Turn.responders(to: message.body, message.id, among: present, seed: cast.seed)
        guard let place = speakers.firstIndex(of: role) else { return }
        if let symbol = book.reaction() {
            _ = await backend.perform(
                .react(messageID: message.id, conversationID: conversation, symbol: symbol, isOn: true))
        }
        // Who speaks second lets the first one finish.
        guard await pace.wait(pace.tempo.writing.upperBound * place) else { return }
        guard latest[conversation] == message.id else { return }
        await say(book.reply(to: message.body), in: conversation)
    }

    private func companions(in conversation: UUID) async -> [Role] {
        if let known = cast.companions(in: conversation) { return known }
        do throws(BackendError) {
            let members = try await backend.members(of: conversation).filter { !$0.hasLeft }.map(\.person.id)
            return Role.companions.filter { role in members.contains { cast.ids[role] == $0 } }
        } catch {
            return [role]
        }
    }

    /// Shows typing for as long as the text takes, and again every three seconds: it fades otherwise.
    func type(_ text: String, in conversation: UUID) async {
        await hold(conversation)
        var left = pace.tempo.writing(text)
        while left > .zero {
            await backend.setTyping(true, in: conversation)
            let step = min(left, .seconds(3))
            guard await pace.wait(step) else { break }
            left -= step
        }
        await backend.setTyping(false, in: conversation)
    }

    private func send(_ text: String, in conversation: UUID) async {
        await send(OutgoingMessage(id: UUID(random: &random), conversationID: conversation, body: text))
    }

    func send(_ message: OutgoingMessage) async {
        while !Task.isCancelled {
            switch await backend.perform(.send(message)) {
            case .stored, .reacted, .refused, .waitForSignIn: return
            case .wait(let delay, _): guard await pace.wait(delay ?? .seconds(1)) else { return }
            }
        }
    }
}

extension UUID {
    /// A version 4 UUID from the generator at hand.
    init(random: inout SeededRandom) {
        let (high, low) = (random.next(), random.next())
        var bytes = (0..<8).map { UInt8(truncatingIfNeeded: high >> (8 * $0)) }
        bytes += (0..<8).map { UInt8(truncatingIfNeeded: low >> (8 * $0)) }
        bytes[6] = bytes[6] & 0x0F | 0x40
        bytes[8] = bytes[8] & 0x3F | 0x80
        self.init(
            uuid: (
                bytes[0], bytes[1], bytes[2], bytes[3], bytes[4], bytes[5], bytes[6], bytes[7], bytes[8],
                bytes[9],
                bytes[10], bytes[11], bytes[12], bytes[13], bytes[14], bytes[15]
            ))
    }
}
