import Glibc

/// What is wrong with a server's certificate. Texts are the certificate's own, with nothing left in them that could
/// be more than text, and cut.
package enum CertificateProblem: Error, Hashable, Sendable {
    /// Nobody signed it whom we trust. Who did is said by itself, and may be a lie.
    case unknownIssuer(String?)
    /// It vouches for itself.
    case selfSigned
    /// The names and addresses that it is for, four at most.
    case wrongName([String])
    /// Seconds since 1970.
    case expired(at: Int64?)
    case notYetValid(from: Int64?)
    /// OpenSSL's number; 0 where the library of TLS gives none.
    case other(code: Int32)

    /// What happened, in words for people.
    package var what: String {
        switch self {
        case .unknownIssuer(let name?): "The server's certificate is from an unknown issuer: \(name)."
        case .unknownIssuer(nil): "The server's certificate is from an unknown issuer."
        case .selfSigned: "The server's certificate is signed by nobody but itself."
        case .wrongName(let names) where names.isEmpty: "The server's certificate is for no host at all."
        case .wrongName(let names): "The server's certificate is for \(names.joined(separator: ", "))."
        case .expired(let time): "The server's certificate expired\(Self.on(time))."
        case .notYetValid(let time?): "The server's certificate counts only from \(Self.day(time)) on."
        case .notYetValid(nil): "The server's certificate does not count yet."
        case .other: "The server's certificate is not valid."
        }
    }

    /// What to do about it.
    package var next: String {
        switch self {
        case .unknownIssuer:
            "If the issuer is your team's own, give its certificate: ca_file in config.toml, or login --ca-file. "
                + "If not, do not trust this network."
        case .selfSigned:
            "If the server is your team's own, give its certificate: ca_file in config.toml, or login --ca-file. "
                + "If not, do not trust this network."
        case .wrongName: "Check the address. If it is right, do not trust this network."
        case .expired: "Tell who runs the server. If it is not, check this machine's clock."
        case .notYetValid: "Check this machine's clock."
        case .other: "Tell who runs the server; do not trust this network."
        }
    }

    private static func on(_ time: Int64?) -> String { time.map { " on \(day($0))" } ?? "" }

    /// The day in UTC, as ISO 8601 writes it.
    private static func day(_ seconds: Int64) -> String {
        var time = time_t(seconds)
        var parts = tm()
        guard gmtime_r(&time, &parts) != nil else { return "an unknown day" }
        func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return "\(parts.tm_year + 1900)-\(two(parts.tm_mon + 1))-\(two(parts.tm_mday))"
    }
}
