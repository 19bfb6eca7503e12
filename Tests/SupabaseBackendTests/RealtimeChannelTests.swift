import Backend
import FoundationEssentials
import Models
import SupabaseWire
import Testing

@testable import SupabaseBackend

@Suite struct RealtimeChannelTests {
    private let room = CoreDriver.room
    private let topic = CoreDriver.roomTopic
    private let ben = UUID()

    private func joinedRoom() -> CoreDriver {
        var driver = CoreDriver()
        driver.becomeLive()
        driver.handle(.held([room]))
        driver.acceptJoin(topic)
        return driver
    }

    @Test func aHeldConversationIsJoinedPrivatelyWithPresence() {
        let driver = joinedRoom()
        let config = driver.joins(topic)[0].payload["config"]
        #expect(config?["private"] == true)
        #expect(config?["presence"] == ["enabled": true, "key": .string(CoreDriver.me.text)])
    }

    @Test func aReleasedConversationIsLeftAndForgotten() {
        var driver = joinedRoom()
        driver.handle(.held([]))
        let leave = driver.last("phx_leave", topic)
        #expect(leave?.joinRef == driver.joins(topic)[0].ref)
        driver.receive(topic, "phx_reply", ref: leave?.ref, driver.ok)
        #expect(driver.core.channels[topic] == nil)
        driver.receive(topic, "phx_close", ref: driver.joins(topic)[0].ref)
        driver.pass(.seconds(100))
        #expect(driver.joins(topic).count == 1)
    }

    @Test func aReleaseDuringAPendingJoinIsSentAfterTheReply() {
        var driver = CoreDriver()
        driver.handle(.held([room]))
        driver.handle(.held([]))
        #expect(driver.last("phx_leave", topic) == nil)
        driver.acceptJoin(topic)
        let leave = driver.last("phx_leave", topic)
        #expect(leave != nil)
        driver.receive(topic, "phx_reply", ref: leave?.ref, driver.ok)
        #expect(driver.core.channels[topic] == nil)
    }

    @Test func aReleaseDuringAJoinThatIsRefusedLeavesNothing() {
        var driver = CoreDriver()
        driver.handle(.held([room]))
        driver.handle(.held([]))
        driver.receive(topic, "phx_reply", ref: driver.joins(topic)[0].ref, driver.refused("Unknown: x"))
        #expect(driver.core.channels[topic] == nil)
    }

    @Test func holdingAgainDuringALeaveJoinsAfterItsReply() {
        var driver = joinedRoom()
        driver.handle(.held([]))
        driver.handle(.held([room]))
        #expect(driver.joins(topic).count == 1)
        driver.receive(topic, "phx_reply", ref: driver.last("phx_leave", topic)?.ref, driver.ok)
        #expect(driver.joins(topic).count == 2)
    }

    @Test func aThousandHoldsAndReleasesLeaveNothing() {
        var driver = CoreDriver()
        driver.becomeLive()
        for _ in 0..<1_000 {
            driver.handle(.held([room]))
            driver.acceptJoin(topic)
            driver.handle(.held([]))
            driver.receive(topic, "phx_reply", ref: driver.last("phx_leave", topic)?.ref, driver.ok)
            driver.pass(.milliseconds(10))
            driver.sent.removeAll { $0.topic != CoreDriver.inbox }
        }
        #expect(driver.core.channels.count == 1)
        #expect(driver.core.tracks.count <= 1)
    }

    @Test func aConversationWeAreNotInIsNotAskedForAgain() {
        var driver = CoreDriver()
        driver.becomeLive()
        driver.handle(.held([room]))
        driver.receive(
            topic, "phx_reply", ref: driver.joins(topic)[0].ref,
            driver.refused("Unauthorized: You do not have permissions to read from this Channel topic: x"))
        driver.pass(.seconds(600))
        #expect(driver.joins(topic).count == 1)
        #expect(driver.end == nil)
    }

    @Test func typingGoesOutOnlyWhereWeAre() {
        var driver = joinedRoom()
        driver.handle(.typing(true, room))
        driver.handle(.typing(true, ben))
        let push = driver.last("broadcast", topic)
        #expect(push?.payload["payload"] == ["user_id": .string(CoreDriver.me.text), "on": true])
        #expect(push?.joinRef == driver.joins(topic)[0].ref)
        #expect(driver.sent.count { $0.event == "broadcast" } == 1)
    }

    @Test func typingOfOthersIsTold() {
        var driver = joinedRoom()
        func news(_ id: String, on: JSONValue) -> JSONValue {
            ["type": "broadcast", "event": "Typing", "payload": ["user_id": .string(id), "on": on]]
        }
        driver.receive(topic, "broadcast", news(ben.uuidString, on: true))
        driver.receive(topic, "broadcast", news(CoreDriver.me.text, on: true))
        driver.receive(topic, "broadcast", news("nobody", on: true))
        driver.receive("realtime:conversation:\(UUID().text)", "broadcast", news(ben.text, on: true))
        #expect(
            driver.emitted == [.live, .typing(conversationID: room, userID: ben, isTyping: true)])
    }

    // MARK: Presence

    private func entry(_ refs: String...) -> JSONValue {
        ["metas": .array(refs.map { ["phx_ref": .string($0), "state": "online"] })]
    }

    @Test func trackingIsAtMostOncePerTenSecondsAlsoOverARejoin() {
        var driver = joinedRoom()
        func tracks() -> Int { driver.sent.count { $0.event == "presence" } }
        #expect(tracks() == 1)
        driver.close(topic)
        driver.acceptJoin(topic)
        #expect(tracks() == 1)
        driver.pass(.seconds(10))
        #expect(tracks() == 2)
        driver.pass(.seconds(100))
        #expect(tracks() == 2)
    }

    @Test func aDifferenceBeforeTheStateIsKeptForIt() {
        var driver = joinedRoom()
        let key = ben.text
        driver.receive(topic, "presence_diff", ["joins": .object([key: entry("b2")]), "leaves": [:]])
        #expect(driver.emitted == [.live])
        driver.receive(topic, "presence_state", [:])
        #expect(driver.emitted.last == .presence(conversationID: room, userIDs: [ben]))
    }

    @Test func somebodyIsPresentWhileOneConnectionIsLeft() {
        var driver = joinedRoom()
        let key = ben.text
        driver.receive(topic, "presence_state", .object([key: entry("a", "b")]))
        driver.receive(topic, "presence_diff", ["joins": [:], "leaves": .object([key: entry("a")])])
        #expect(driver.emitted.count == 2)
        driver.receive(
            topic, "presence_diff",
            ["joins": .object([key: entry("c")]), "leaves": .object([key: entry("b")])])
        #expect(driver.emitted.count == 2)
        driver.receive(topic, "presence_diff", ["joins": [:], "leaves": .object([key: entry("c")])])
        #expect(driver.emitted.last == .presence(conversationID: room, userIDs: []))
    }

    @Test func keysThatAreNoPersonAreLeftOut() {
        var roster = PresenceRoster()
        roster.replace(with: .object(["not-a-user": entry("x"), ben.uuidString: entry("y")]))
        #expect(roster.users == [ben])
    }
}
