import FoundationEssentials
import TelegramBackend
import Testing

/// Messages that a library unloads under the same name as those that somebody deletes, as it was reported of other
/// messengers.
@Suite struct DeletionTrialTests {
    /// What the file's updates leave of its messages.
    private struct Chat {
        var shown: [Int64] = []
        var deleted: [Int64] = []
        var outOfReach: [Int64] = []

        mutating func take(_ removal: TDDeletedMessages) {
            guard removal.meaning.removes else { return }
            shown.removeAll { removal.messageIDs.contains($0) }
            if removal.meaning == .deleted {
                deleted += removal.messageIDs
            } else {
                outOfReach += removal.messageIDs
            }
        }
    }

    private struct Sent: Decodable {
        struct Message: Decodable { var id: Int64 }
        var message: Message?
    }

    /// The updates of the file, each as the library would hand it over.
    private func updates() throws -> [Data] {
        let text = String(decoding: PackageResources.T33_tddelete_json, as: UTF8.self)
        var (updates, depth, current): ([Data], Int, String) = ([], 0, "")
        for letter in text {
            if letter == "{" { depth += 1 }
            if depth > 0 { current.append(letter) }
            guard letter == "}" else { continue }
            depth -= 1
            if depth == 0 {
                updates.append(Data(current.utf8))
                current = ""
            }
        }
        return updates
    }

    @Test func t33WhatIsUnloadedStaysAndWhatIsDeletedGoes() throws {
        var chat = Chat()
        var afterEach: [Int] = []
        for update in try updates() {
            if let message = try JSONDecoder().decode(Sent.self, from: update).message {
                #expect(TDDeletedMessages(update) == nil)
                chat.shown.append(message.id)
                continue
            }
            let removal = try #require(TDDeletedMessages(update))
            #expect(removal.chatID == 700_001)
            chat.take(removal)
            afterEach.append(chat.shown.count)
        }
        #expect(afterEach == [6, 5, 3, 3])
        #expect(chat.shown == [1_048_576, 2_097_152, 6_291_456])
        #expect(chat.deleted == [3_145_728])
        #expect(chat.outOfReach == [4_194_304, 5_242_880])
    }

    @Test(arguments: [
        ("", TDDeletedMessages.Meaning.unloaded), (#","from_cache":true"#, .unloaded),
        (#","from_cache":true,"is_permanent":true"#, .unloaded), (#","is_permanent":true"#, .unloaded),
        (#","from_cache":false"#, .outOfReach), (#","from_cache":false,"is_permanent":false"#, .outOfReach),
        (#","from_cache":false,"is_permanent":true"#, .deleted),
    ])
    func t33AFlagThatIsMissingRemovesNothing(_ flags: String, _ meaning: TDDeletedMessages.Meaning) {
        let update = #"{"@type":"updateDeleteMessages","chat_id":7,"message_ids":[1]"# + flags + "}"
        #expect(TDDeletedMessages(Data(update.utf8))?.meaning == meaning)
    }

    @Test(arguments: [
        "", "null", "[]", "{}", #"{"@type":"updateDeleteMessages"}"#,
        #"{"@type":"updateDeleteMessages","chat_id":7,"message_ids":["x"],"from_cache":false}"#,
        #"{"@type":"updateNewChat","chat_id":7,"message_ids":[1],"from_cache":false,"is_permanent":true}"#,
    ])
    func t33WhatCannotBeReadRemovesNothing(_ update: String) {
        #expect(TDDeletedMessages(Data(update.utf8)) == nil)
    }
}
