import FoundationEssentials

/// The base address of a server: scheme, host and perhaps a port; nothing after it.
package struct ServerAddress: Sendable, Hashable {
    /// Lower case, without a slash at the end: `https://chat.example.org`, `http://127.0.0.1:8400`.
    package let text: String
    package let isEncrypted: Bool
    /// Whether it is this machine: `localhost`, `127.0.0.0/8` or `::1`.
    package let isLoopback: Bool

    /// Reads what a person typed or pasted; space around it is dropped.
    /// - Parameter allowsPlainHTTP: Whether `http` may go to other machines than this one.
    package init(_ typed: String, allowsPlainHTTP: Bool = false) throws(ServerAddressError) {
        let trimmed = typed.trimmed
        guard !trimmed.isEmpty else { throw .empty }
        guard let separator = trimmed.firstIndex(of: ":"), trimmed[separator...].hasPrefix("://") else {
            throw .noScheme
        }
        let scheme = trimmed[..<separator].lowercased()
        guard scheme == "https" || scheme == "http" else { throw .otherScheme }
        guard let parts = URLComponents(string: trimmed), let host = parts.host, !host.isEmpty else {
            throw .unreadable
        }
        guard parts.user == nil, parts.password == nil else { throw .hasUser }
        guard parts.path.allSatisfy({ $0 == "/" }), parts.query == nil, parts.fragment == nil else {
            throw .hasPath
        }
        guard parts.port.map({ 1...65_535 ~= $0 }) ?? true else { throw .unreadable }
        isEncrypted = scheme == "https"
        isLoopback = Self.isLoopback(host)
        guard isEncrypted || isLoopback || allowsPlainHTTP else { throw .plainHTTP }
        text = "\(scheme)://\(host.lowercased())" + (parts.port.map { ":\($0)" } ?? "")
    }

    private static func isLoopback(_ host: String) -> Bool {
        let name = host.lowercased()
        if name == "localhost" || name == "[::1]" || name == "::1" { return true }
        let numbers = name.split(separator: ".", omittingEmptySubsequences: false).map { UInt8($0) }
        return numbers.count == 4 && numbers.first == 127 && numbers.allSatisfy { $0 != nil }
    }
}

/// Why an address is none. The words never repeat it: people paste passwords into addresses.
package enum ServerAddressError: Error, Hashable, Sendable {
    case empty
    case noScheme
    case otherScheme
    case unreadable
    case hasUser
    case hasPath
    /// Unencrypted, to another machine, and not allowed by the account.
    case plainHTTP

    package var words: String {
        switch self {
        case .empty: "is empty. Give the server's address, like https://chat.example.org."
        case .noScheme: "must begin with https:// (or http:// for this machine)."
        case .otherScheme: "must begin with https://, not with another kind of address."
        case .unreadable: "cannot be read as an address like https://chat.example.org."
        case .hasUser: "must not hold a user name or a password."
        case .hasPath: "must end after the server's name: leave out the path behind it."
        case .plainHTTP:
            "is not encrypted and goes to another machine. Use https://, or set allow_plain_http = true."
        }
    }
}

extension StringProtocol {
    /// Without white space, line ends and byte order marks at either end: what pasting leaves there.
    var trimmed: String {
        func isStray(_ character: Character) -> Bool { character.isWhitespace || character == "\u{FEFF}" }
        guard let start = firstIndex(where: { !isStray($0) }), let end = lastIndex(where: { !isStray($0) })
        else { return "" }
        return String(self[start...end])
    }
}
