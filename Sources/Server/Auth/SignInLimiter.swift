/// Makes guessing passwords slow: by who guesses, and by whose password it is.
///
/// One network address has so many failures a window and then waits; that stops one guesser. A guesser with many
/// addresses meets the account's own limit: after some failures one try is let through in a pause that doubles with
/// each. A pause never grows past `signInPause`, so nobody is locked out, and an address from which the account's
/// owner has signed in before does not feel it at all. A try counts as failed until it has succeeded, so that many
/// at once gain nothing. Times are microseconds since 1970.
struct SignInLimiter {
    private struct Account {
        /// Without a break of `memory` between them.
        var failures = 0
        /// When a stranger's try is looked at again.
        var nextTry = Int64.min
        var lastTry: Int64
        /// Where its owner was seen, the latest last.
        var homes: [Home] = []
    }

    /// An address of the owner. Its mistakes count for themselves.
    private struct Home {
        let address: String
        var failed: [Int64] = []
    }

    /// How many accounts, and how many addresses, are remembered.
    private static let remembered = 10_000
    private static let homesOfOne = 8
    private static let memory: Int64 = 3_600_000_000
    private static let firstPause: Int64 = 1_000_000
    private let limits: ServerLimits
    private let window: Int64
    private var accounts: [String: Account] = [:]
    /// When each address failed, within the window, oldest first.
    private var failed: [String: [Int64]] = [:]

    init(_ limits: ServerLimits) {
        self.limits = limits
        window = limits.signInWindow.microseconds
    }

    /// Lets a try through, or tells how many seconds to wait before the next.
    /// - Parameter address: Who tries; `nil` when that tells nobody from another.
    mutating func wait(of account: String, from address: String?, now: Int64) -> Int? {
        if let address, let end = end(of: failed[address], limits.failedSignInsPerAddress, now) {
            return Self.seconds(end - now)
        }
        var known = accounts[account] ?? Account(lastTry: now)
        if now - known.lastTry > Self.memory { known.failures = 0 }
        if let home = known.homes.firstIndex(where: { $0.address == address }) {
            if let end = end(of: known.homes[home].failed, limits.failedSignIns, now) {
                return Self.seconds(end - now)
            }
            known.homes[home].failed = recent(known.homes[home].failed, now) + [now]
        } else {
            guard known.nextTry <= now else { return Self.seconds(known.nextTry - now) }
            known.failures += 1
            known.nextTry = now + pause(after: known.failures)
        }
        known.lastTry = now
        accounts[account] = known
        if let address { failed[address] = recent(failed[address] ?? [], now) + [now] }
        forget(now)
        return nil
    }

    /// How many accounts and addresses are remembered.
    var count: Int { accounts.count + failed.count }

    /// The try that was let through had the right password.
    mutating func succeed(_ account: String, from address: String?, now: Int64) {
        guard var known = accounts[account] else { return }
        if let address {
            // What a stranger did wrong here stays counted: it is not the owner's.
            if !known.homes.contains(where: { $0.address == address }) { takeBack(&known, now) }
            known.homes.removeAll { $0.address == address }
            known.homes = known.homes.suffix(Self.homesOfOne - 1) + [Home(address: address)]
            _ = failed[address]?.popLast()
        } else {
            known.failures = 0
            known.nextTry = .min
        }
        accounts[account] = known
    }

    private func takeBack(_ account: inout Account, _ now: Int64) {
        account.failures -= 1
        account.nextTry = account.failures < limits.failedSignIns ? .min : account.nextTry
    }

    /// Nothing for the first mistakes, then twice as long each time.
    private func pause(after failures: Int) -> Int64 {
        guard failures >= limits.failedSignIns else { return 0 }
        let doublings = min(failures - limits.failedSignIns, 20)
        return min(Self.firstPause << doublings, limits.signInPause.microseconds)
    }

    private func recent(_ times: [Int64], _ now: Int64) -> [Int64] { times.filter { $0 > now - window } }

    /// When fewer than `count` of these will be within the window; `nil` when that is now.
    private func end(of times: [Int64]?, _ count: Int, _ now: Int64) -> Int64? {
        let recent = recent(times ?? [], now)
        guard recent.count >= count, let oldest = recent.first else { return nil }
        return oldest + window
    }

    /// Keeps the memory small: what is over first, then whatever was longest quiet.
    private mutating func forget(_ now: Int64) {
        if failed.count > Self.remembered {
            failed = failed.filter { !recent($0.value, now).isEmpty }
            if failed.count > Self.remembered { failed.removeAll() }
        }
        guard accounts.count > Self.remembered else { return }
        let times = accounts.values.map(\.lastTry).sorted()
        let middle = times[times.count / 2]
        accounts = accounts.filter { $0.value.lastTry > middle }
    }

    private static func seconds(_ microseconds: Int64) -> Int {
        Int((microseconds + 999_999) / 1_000_000)
    }
}

extension Duration {
    /// Whole microseconds.
    var microseconds: Int64 {
        components.seconds * 1_000_000 + components.attoseconds / 1_000_000_000_000
    }

    /// Whole seconds.
    var wholeSeconds: Int64 { components.seconds }
}
