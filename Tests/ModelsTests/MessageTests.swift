import FoundationEssentials
import Models
import Testing
import Timestamps

@Suite struct MessageTests {
    private let row = #"""
        {"id":"0f6c1e88-2a55-4c9d-8a0e-9b7d4c3f2a10","conversation_id":"6f0d3b0e-58a4-4c4d-9f6b-1f1c2b8a7d10",
         "sender_id":"3d0f9b52-6a1e-4c77-9d64-0e5b7a1f2c11","body":"hello","created_at":"2026-03-04T05:06:07.891234+00:00"}
        """#

    private func message() throws -> Message {
        try JSONDecoder().decode(Message.self, from: Data(row.utf8))
    }

    @Test func aRowWithoutDeliveryStateDecodes() throws {
        let message = try message()
        #expect(message.body == "hello")
        #expect(message.deliveryState == .sent)
    }

    @Test(arguments: DeliveryState.allCases)
    func deliveryStateNeverTravels(_ state: DeliveryState) throws {
        var message = try message()
        message.deliveryState = state
        let text = String(decoding: try JSONEncoder().encode(message), as: UTF8.self)
        #expect(!text.contains("delivery"))
        #expect(!text.contains(state.rawValue + "\""))
    }

    @Test func everyMicrosecondSurvivesTheCodedForm() throws {
        var message = try message()
        for offset in stride(from: Int64(0), to: 1_000_000, by: 997) {
            message.createdAt = Date(microseconds: 1_772_600_767_000_000 + offset)
            let again = try JSONDecoder().decode(Message.self, from: try JSONEncoder().encode(message))
            #expect(again.createdAt.microseconds == 1_772_600_767_000_000 + offset)
        }
    }

    @Test func idsAreCodedInLowerCase() throws {
        let text = String(decoding: try JSONEncoder().encode(try message()), as: UTF8.self)
        #expect(text.contains("0f6c1e88-2a55-4c9d-8a0e-9b7d4c3f2a10"))
    }

    @Test(arguments: ["heart.fill", "hand.thumbsup", "👍", "👍\u{FE0F}"])
    func aReactionSymbolIsKeptAsSent(_ symbol: String) throws {
        var message = try message()
        message.reactions = [Reaction(symbol: symbol, byMe: true, count: 2)]
        let again = try JSONDecoder().decode(Message.self, from: try JSONEncoder().encode(message))
        #expect(again.reactions.first.map { Array($0.symbol.unicodeScalars) } == Array(symbol.unicodeScalars))
    }

    @Test func waitingMessagesStandBehindConfirmedOnesInTheOrderTyped() throws {
        func example(position: Int64?, typed: Int64) -> Message {
            Message(
                id: UUID(), conversationID: UUID(), senderID: nil, body: "", createdAt: Date(microseconds: 0),
                position: position, typedOrder: typed)
        }
        let first = example(position: 5, typed: 9)
        let second = example(position: 6, typed: 1)
        let third = example(position: nil, typed: 2)
        let fourth = example(position: nil, typed: 3)
        let sorted = [fourth, second, third, first].sorted { Message.isOrdered($0, before: $1) }
        #expect(sorted.map(\.id) == [first, second, third, fourth].map(\.id))
    }
}

@Suite struct DeliveryStateTests {
    @Test func statesOnlyMoveForward() {
        let order: [DeliveryState] = [.sending, .sent, .delivered, .read]
        for (index, state) in order.enumerated() {
            for (newsIndex, news) in order.enumerated() {
                #expect(state.advanced(by: news) == order[max(index, newsIndex)])
            }
        }
    }

    @Test func aLateConfirmationBeatsFailedButNewsNeverRetries() {
        #expect(DeliveryState.failed.advanced(by: .sent) == .sent)
        #expect(DeliveryState.failed.advanced(by: .sending) == .failed)
    }

    @Test func onlyAWaitingMessageCanFail() {
        #expect(DeliveryState.sending.advanced(by: .failed) == .failed)
        #expect(DeliveryState.delivered.advanced(by: .failed) == .delivered)
    }
}
