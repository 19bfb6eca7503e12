/// Counts failed sign-ins by address, so that guessing passwords is slow.
struct SignInLimiter {
    private static let addressLimit = 10_000
    private let failures: Int
    private let window: Int64
    /// When each address failed, in microseconds since 1970, oldest first.
    private var failed: [String: [Int64]] = [:]

    init(_ limits: ServerLimits) {
        failures = limits.failedSignIns
        window = limits.signInWindow.microseconds
    }

    /// Seconds to wait before another try of this address is looked at; `nil` when it may be tried now.
    mutating func wait(for address: String, now: Int64) -> Int? {
        let recent = (failed[address] ?? []).filter { $0 > now - window }
        failed[address] = recent.isEmpty ? nil : recent
        guard recent.count >= failures, let oldest = recent.first else { return nil }
        return Int((oldest + window - now + 999_999) / 1_000_000)
    }

    mutating func fail(_ address: String, now: Int64) {
        if failed.count >= Self.addressLimit {
            failed = failed.filter { $0.value.contains { $0 > now - window } }
        }
        guard failed.count < Self.addressLimit || failed[address] != nil else { return }
        failed[address, default: []].append(now)
    }

    mutating func succeed(_ address: String) { failed[address] = nil }
}

extension Duration {
    /// Whole microseconds.
    var microseconds: Int64 {
        components.seconds * 1_000_000 + components.attoseconds / 1_000_000_000_000
    }

    /// Whole seconds.
    var wholeSeconds: Int64 { components.seconds }
}
