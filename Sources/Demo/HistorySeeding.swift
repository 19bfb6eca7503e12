import FoundationEssentials
import Server

/// Puts the people and what they said into a fresh server.
struct HistorySeeding: Sendable {
    let server: ChatServer
    let timeline: Timeline
    /// Of all people: they live no longer than the server, and on this machine only.
    let password: String
    let seed: UInt64

    func run(_ stories: [Story] = Story.all) async throws(ServerError) -> Cast {
        var ids: [Role: UUID] = [:]
        for role in Role.allCases {
            ids[role] = try await server.seedUser(
                SeedPerson(
                    email: role.email, password: password, username: role.username,
                    displayName: role.displayName))
        }
        var conversations: [UUID: [Role]] = [:]
        var group: UUID?
        for story in stories {
            let id = try await tell(story, ids)
            conversations[id] = story.members
            if story.title != nil { group = id }
        }
        return Cast(ids: ids, conversations: conversations, group: group, seed: seed)
    }

    private func tell(_ story: Story, _ ids: [Role: UUID]) async throws(ServerError) -> UUID {
        let instants = timeline.instants(story.lines)
        let members = story.members.compactMap { ids[$0] }
        guard let owner = members.first, let first = instants.first else {
            throw .storage("a story without people or words")
        }
        let conversation = try await server.seedConversation(
            by: owner, with: Array(members.dropFirst()), title: story.title, createdAt: first - 60_000_000)
        var names: [String: UUID] = [:]
        var messages: [UUID] = []
        for (line, instant) in zip(story.lines, instants) {
            guard let author = ids[line.author] else { continue }
            let message = message(line, by: author, in: conversation, at: instant, names)
            try await server.seedMessage(message)
            messages.append(message.id)
            if let name = line.name { names[name] = message.id }
        }
        try await react(to: messages, of: story, ids)
        try await read(messages, of: story, in: conversation, ids)
        return conversation
    }

    private func message(
        _ line: Line, by author: UUID, in conversation: UUID, at instant: Int64, _ names: [String: UUID]
    ) -> SeedMessage {
        SeedMessage(
            conversationID: conversation, senderID: author, body: line.text, createdAt: instant,
            replyTo: line.replyTo.flatMap { names[$0] }, editedAt: line.isEdited ? instant + 50_000_000 : nil,
            deletedAt: line.isDeleted ? instant + 30_000_000 : nil)
    }

    private func react(to messages: [UUID], of story: Story, _ ids: [Role: UUID]) async throws(ServerError) {
        for (line, message) in zip(story.lines, messages) {
            for mark in line.reactions {
                guard let user = ids[mark.role] else { continue }
                try await server.seedReaction(mark.symbol, to: message, by: user)
            }
        }
    }

    /// The friends have read everything; the person at the screen all but the last few.
    private func read(_ messages: [UUID], of story: Story, in conversation: UUID, _ ids: [Role: UUID])
        async throws(ServerError)
    {
        for role in story.members {
            guard let user = ids[role] else { continue }
            let last = role == .you ? messages.dropLast(story.unread).last : messages.last
            try await server.seedRead(conversation, through: last, by: user)
        }
    }
}
