import Testing

@testable import Networking

@Suite(.timeLimit(.minutes(1)))
struct WebSocketViolationTests {
    private func ending(
        _ bytes: [UInt8], limits: WebSocketLimits = WebSocketLimits()
    ) async -> (close: WebSocketClose?, frame: RawFrame?) {
        let (connection, peer) = WebSocketConnection.server(limits: limits)
        peer.write(bytes)
        let last = await connection.allEvents().last
        guard case .closed(let close) = last else { return (nil, nil) }
        return (close, await peer.nextFrame())
    }

    @Test(arguments: [[0xC3, 0x28], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xC3]] as [[UInt8]])
    func textThatIsNotUTF8EndsTheConnection(payload: [UInt8]) async {
        let (close, frame) = await ending(RawFrame(opcode: 1, payload: payload).bytes(mask: mask))

        #expect(close == WebSocketClose(.protocolViolation, code: 1_007))
        #expect(frame == .close(1_007))
    }

    @Test(arguments: [
        RawFrame.text("unmasked").bytes(mask: nil), RawFrame(opcode: 3, payload: []).bytes(mask: mask),
        RawFrame(opcode: 0, payload: [1]).bytes(mask: mask), [0xC1, 0x80, 1, 2, 3, 4],
        RawFrame(opcode: 9, payload: [UInt8](repeating: 0, count: 126)).bytes(mask: mask),
        RawFrame.close(1_005).bytes(mask: mask),
    ])
    func aBrokenRuleEndsTheConnection(bytes: [UInt8]) async {
        let (close, frame) = await ending(bytes)

        #expect(close == WebSocketClose(.protocolViolation, code: 1_002))
        #expect(frame?.opcode == 8)
    }

    @Test func aMessageTooLargeEndsTheConnectionBeforeItIsHeld() async {
        let limits = WebSocketLimits(message: 1_000)
        let bytes = RawFrame(opcode: 2, payload: [UInt8](repeating: 7, count: 1_001)).bytes(mask: mask)
        let (close, frame) = await ending(bytes, limits: limits)

        #expect(close == WebSocketClose(.messageTooLarge, code: 1_009))
        #expect(frame == .close(1_009))
    }

    @Test func piecesTooLargeTogetherEndTheConnection() async {
        let piece = [UInt8](repeating: 7, count: 600)
        let first = RawFrame(opcode: 2, payload: piece, isFinal: false).bytes(mask: mask)
        let second = RawFrame(opcode: 0, payload: piece).bytes(mask: mask)
        let (close, _) = await ending(first + second, limits: WebSocketLimits(message: 1_000))

        #expect(close?.cause == .messageTooLarge)
    }

    @Test func aPeerThatPingsWithoutReadingIsCut() async {
        let (connection, peer) = WebSocketConnection.server()
        let ping = RawFrame(opcode: 9, payload: [UInt8](repeating: 1, count: 125)).bytes(mask: mask)
        let many = (0..<500).flatMap { _ in ping }
        while peer.write(many) {}

        #expect(await connection.allEvents() == [.closed(WebSocketClose(.cut))])
    }

    @Test func aPeerThatFloodsAfterBreakingARuleIsCutOff() async {
        let (connection, peer) = WebSocketConnection.server()
        peer.write(.text("unmasked"))
        let flood = [UInt8](repeating: 0, count: 1 << 20)
        while peer.write(flood) {}

        guard case .closed(let close) = await connection.allEvents().last else {
            Issue.record("the connection did not end")
            return
        }
        #expect(close.cause == .protocolViolation)
    }

    @Test func aServerThatMasksBreaksTheRulesToo() async {
        let (socket, peer) = StubPeer.pair()
        let client = WebSocketConnection(
            .client, SocketStream(socket) { _ = StubPeer(socket) }, early: [], limits: WebSocketLimits(),
            executor: QueueExecutor("client"))
        peer.write(.text("masked"), mask: mask)

        guard case .closed(let close) = await client.allEvents().last else {
            Issue.record("the connection did not end")
            return
        }
        #expect(close.code == 1_002)
    }
}
