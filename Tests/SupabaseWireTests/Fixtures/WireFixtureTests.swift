import FoundationEssentials
import SupabaseWire
import Testing
import WireFixtures

/// The client's side of the wire. The server's is in `ServerTests`, and what the client makes of what it reads, and
/// writes by itself, in `SupabaseBackendTests`.
@Suite struct WireFixtureTests {
    private static let fromServer = WireFixture.all.filter { $0.isFromServer && !$0.isBinary }
    private static let texts = WireFixture.all.filter { !$0.isBinary }
    private static let frames = WireFixture.all.filter { $0.version != nil }

    @Test func everyShapeOfTheServerHasItsReading() {
        #expect(WireFixture.all.count > 200)
        #expect(Set(ClientReading.all.keys) == Set(Self.fromServer.map(\.name)))
    }

    @Test(arguments: fromServer) func whatIsReadIsWhatStandsThere(_ fixture: WireFixture) throws {
        let (data, whole) = (Data(fixture.bytes), try fixture.json)
        switch try #require(ClientReading.all[fixture.name]) {
        case .rows(let reading):
            let found = try reading.read(data)
            #expect(found.failures == [])
            #expect(.array(found.rows) == whole.without(reading.unread))
        case .object(let unread, let read): #expect(try read(data) == whole.without(unread))
        case .change(let unread):
            guard case .change(let topic, let change) = try IncomingFrame(text: fixture.text) else {
                Issue.record("no change was read")
                return
            }
            let again: JSONValue = [
                "topic": .string(topic), "event": "postgres_changes", "ref": .null,
                "payload": ["data": change.json],
            ]
            #expect(again == whole.without(unread))
        case .frame:
            let version = try #require(fixture.version)
            let frame = try RealtimeFrame(text: fixture.text, version: version)
            #expect(try WireCoding.decode(from: frame.text(version: version, fromServer: true)) == whole)
        case .value: break
        }
    }

    @Test(arguments: texts) func everyShapeIsWrittenAsItWasRead(_ fixture: WireFixture) throws {
        let value = try fixture.json
        #expect(try WireCoding.decode(from: WireCoding.text(value)) == value)
        #expect(try WireCoding.decode(from: fixture.bytes, brokenText: .refused) == value)
    }

    @Test(arguments: frames) func everyFrameIsWrittenAsItWasRead(_ fixture: WireFixture) throws {
        let version = try #require(fixture.version)
        let frame = try RealtimeFrame(text: fixture.text, version: version)
        let text = try frame.text(version: version, fromServer: fixture.isFromServer)
        #expect(try WireCoding.decode(from: text) == fixture.json)
    }

    /// Version 1 leaves out what version 2 says of a server's frame: which join it belongs to.
    @Test(arguments: frames.filter { $0.version == .one }) func bothVersionsSayTheSame(_ one: WireFixture)
        throws
    {
        let name = one.name.replacing(
            ".v1.", with: ".v2.")
        let two = try RealtimeFrame(text: WireFixture.named(name).text, version: .two)
        var frame = try RealtimeFrame(text: one.text, version: .one)
        #expect(!one.isFromServer || frame.joinRef == nil)
        if one.isFromServer { frame.joinRef = two.joinRef }
        #expect(frame == two)
    }
}
