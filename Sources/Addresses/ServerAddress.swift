import FoundationEssentials

/// A server's base address. One server has one spelling, whoever wrote it down where.
package struct ServerAddress: Sendable, Hashable {
    /// `scheme://host[:port][/path]`: scheme and host in lower case, no default port, no slash at the end.
    package let base: String
    /// Whether it is this machine: `localhost`, `127.0.0.0/8` or `::1`.
    package let isLoopback: Bool

    /// Reads what a person typed or pasted: space around it, slashes at the end and the path of one of Supabase's
    /// doors are dropped, and a missing scheme is https, or http for this machine.
    /// - Parameter allowsPlainHTTP: Whether `http` may go to other machines than this one.
    package init(_ typed: String, allowsPlainHTTP: Bool = false) throws(ServerAddressError) {
        // Byte order marks are what pasting leaves behind.
        let words = typed.split { $0.isWhitespace || $0 == "\u{FEFF}" }
        guard let word = words.first else { throw .empty }
        if words.count == 1, let mistake = Mistake.of(String(word)) { throw mistake }
        let hasScheme = word.contains("://")
        guard words.count == 1,
            let parts = URLComponents(string: hasScheme ? String(word) : "https://" + word),
            let host = parts.host?.lowercased(), !host.isEmpty, let named = parts.scheme?.lowercased()
        else { throw .unreadable }
        guard named == "https" || named == "http" else { throw .otherScheme }
        guard parts.user == nil, parts.password == nil else { throw .hasUser }
        guard parts.query == nil, parts.fragment == nil else { throw .hasQuery }
        guard parts.port.map({ 1...65_535 ~= $0 }) ?? true else { throw .unreadable }

        isLoopback = Self.isLoopback(host)
        let scheme = hasScheme || !isLoopback ? named : "http"
        guard scheme == "https" || isLoopback || allowsPlainHTTP else { throw .plainHTTP }
        let port = parts.port.flatMap { $0 == (scheme == "https" ? 443 : 80) ? nil : ":\($0)" } ?? ""
        let path = Self.path(Substring(parts.percentEncodedPath), of: host)
        base = "\(scheme)://\(host)\(port)\(path)"
    }

    /// Whether what travels can be read on the way.
    package var isPlain: Bool { base.hasPrefix("http:") }

    /// A project's own host has nothing but doors; a server of one's own may stand below a path.
    private static func path(_ written: Substring, of host: String) -> Substring {
        guard !host.hasSuffix(".supabase.co") else { return "" }
        var path = written
        for door in ["auth", "rest", "realtime", "storage", "functions", "graphql"] {
            if let start = path.firstRange(of: "/\(door)/v1")?.lowerBound { path = path[..<start] }
        }
        while path.last == "/" { path = path.dropLast() }
        return path
    }

    /// A name that merely begins like an address of this machine may belong to anybody.
    private static func isLoopback(_ host: String) -> Bool {
        if host == "localhost" || host == "[::1]" || host == "::1" { return true }
        let numbers = host.split(separator: ".", omittingEmptySubsequences: false).map { UInt8($0) }
        return numbers.count == 4 && numbers.first == 127 && numbers.allSatisfy { $0 != nil }
    }
}

/// Why an address is none. The words never repeat it: people paste passwords into addresses.
package enum ServerAddressError: Error, Hashable, Sendable {
    case empty
    case otherScheme
    case unreadable
    case hasUser
    case hasQuery
    /// Unencrypted, to another machine, and not allowed by the account.
    case plainHTTP
    /// A page of Supabase's dashboard; the address of the project it shows, where it can be told.
    case dashboard(project: String?)
    /// Where a project's database is, for `psql`; the project's own address, where it can be told.
    case database(project: String?)
    /// A key instead of an address.
    case key
}
