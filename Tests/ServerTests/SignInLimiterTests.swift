import SupabaseWire
import Testing

@testable import Server

@Suite struct SignInLimiterTests {
    private static let second: Int64 = 1_000_000

    private func limiter() -> SignInLimiter {
        var limits = ServerLimits()
        limits.failedSignIns = 3
        limits.failedSignInsPerAddress = 5
        limits.signInWindow = .seconds(60)
        limits.signInPause = .seconds(30)
        return SignInLimiter(limits)
    }

    /// What each try of one account comes to, made at these seconds from an address of its own.
    private func waits(_ limiter: inout SignInLimiter, at seconds: [Int64]) -> [Int?] {
        seconds.enumerated().map { number, second in
            limiter.wait(of: "ada", from: "198.51.100.\(number)", now: second * Self.second)
        }
    }

    @Test func manyAddressesTogetherGetOneTryAPause() {
        var limiter = limiter()
        // Three at once, then after one second, two, four, eight.
        let waits = waits(&limiter, at: [0, 0, 0, 0, 1, 1, 3, 3, 7, 7, 15])
        #expect(waits == [nil, nil, nil, 1, nil, 2, nil, 4, nil, 8, nil])
    }

    @Test func thePauseHasAnEndSoNobodyIsLockedOut() {
        var limiter = limiter()
        var now: Int64 = 0
        for number in 0..<200 {
            let address = "203.0.113.\(number)"
            if let wait = limiter.wait(of: "ada", from: address, now: now) {
                #expect(wait <= 30)
                now += Int64(wait) * Self.second
            }
        }
        let wait = limiter.wait(of: "ada", from: "192.0.2.1", now: now + 30 * Self.second)
        #expect(wait == nil)
    }

    @Test func theOwnersOwnAddressDoesNotFeelTheGuessers() {
        var limiter = limiter()
        _ = limiter.wait(of: "ada", from: "192.0.2.1", now: 0)
        limiter.succeed("ada", from: "192.0.2.1", now: 0)
        for number in 0..<100 { _ = limiter.wait(of: "ada", from: "198.51.100.\(number)", now: Self.second) }
        let guesser = limiter.wait(of: "ada", from: "198.51.100.200", now: Self.second)
        let owner = limiter.wait(of: "ada", from: "192.0.2.1", now: Self.second)
        #expect(guesser != nil)
        #expect(owner == nil)
    }

    @Test func atTheOwnersAddressGuessingIsSlowToo() {
        var limiter = limiter()
        _ = limiter.wait(of: "ada", from: "192.0.2.1", now: 0)
        limiter.succeed("ada", from: "192.0.2.1", now: 0)
        let waits = (0..<4).map { _ in limiter.wait(of: "ada", from: "192.0.2.1", now: 10 * Self.second) }
        let later = limiter.wait(of: "ada", from: "192.0.2.1", now: 70 * Self.second)
        #expect(waits == [nil, nil, nil, 60])
        #expect(later == nil)
    }

    @Test func oneAddressMayNotTryAccountAfterAccount() {
        var limiter = limiter()
        let waits = (0..<6).map { limiter.wait(of: "user\($0)", from: "198.51.100.1", now: 0) }
        let other = limiter.wait(of: "user6", from: "198.51.100.2", now: 0)
        let later = limiter.wait(of: "user7", from: "198.51.100.1", now: 60 * Self.second)
        #expect(waits == [nil, nil, nil, nil, nil, 60])
        #expect(other == nil)
        #expect(later == nil)
    }

    @Test func signingInWithOnesOwnAccountBuysNoGuesses() {
        var limiter = limiter()
        for number in 0..<5 {
            let now = Int64(number) * 8 * Self.second
            let guess = limiter.wait(of: "ada", from: "198.51.100.1", now: now)
            #expect(guess == nil)
            if limiter.wait(of: "eve", from: "198.51.100.1", now: now) == nil {
                limiter.succeed("eve", from: "198.51.100.1", now: now)
            }
        }
        let next = limiter.wait(of: "ada", from: "198.51.100.1", now: 40 * Self.second)
        #expect(next == 20)
    }

    @Test func triesOfOneMomentAllCount() {
        var limiter = limiter()
        let waits = (0..<20).map { limiter.wait(of: "ada", from: "198.51.100.\($0)", now: 0) }
        #expect(waits.filter { $0 == nil }.count == 3)
    }

    @Test func onOneMachineARightPasswordClearsTheAccount() {
        var limiter = limiter()
        let waits = [0, 0, 0, 0, 1].map { limiter.wait(of: "ada", from: nil, now: $0 * Self.second) }
        limiter.succeed("ada", from: nil, now: Self.second)
        let after = limiter.wait(of: "ada", from: nil, now: Self.second)
        #expect(waits == [nil, nil, nil, 1, nil])
        #expect(after == nil)
    }

    @Test func whatItRemembersHasALimit() {
        var limiter = limiter()
        for number in 0..<30_000 {
            let now = Int64(number) * Self.second / 100
            _ = limiter.wait(of: "user\(number)", from: "10.0.\(number / 256).\(number % 256)", now: now)
        }
        #expect(limiter.count < 20_100)
    }

    @Test(arguments: [
        ("192.0.2.7", "192.0.2.7"), ("::ffff:192.0.2.7", "192.0.2.7"), ("127.0.0.1", nil), ("::1", nil),
        ("::ffff:127.0.0.1", nil), ("2001:db8:1:2:3:4:5:6", "20:1:d:b8:0:1:0:2"),
        ("2001:db8:1:2::9", "20:1:d:b8:0:1:0:2"), ("nonsense", nil), ("", nil),
    ])
    func addressesAreToldApartByNetwork(_ text: String, _ network: String?) {
        #expect(ClientAddress.network(text) == network)
    }

    @Test func onlyAProxysLastWordIsBelieved() {
        let headers = [("X-Forwarded-For", "203.0.113.9, 198.51.100.1"), ("X-Forwarded-For", "192.0.2.1")]
        let request = IncomingRequest(method: "POST", target: "/", headers: headers, peer: "10.0.0.1")
        #expect(ClientAddress.of(request, isBehindProxy: true) == "192.0.2.1")
        #expect(ClientAddress.of(request, isBehindProxy: false) == "10.0.0.1")
        let plain = IncomingRequest(method: "POST", target: "/", peer: "10.0.0.1")
        #expect(ClientAddress.of(plain, isBehindProxy: true) == "10.0.0.1")
    }
}
