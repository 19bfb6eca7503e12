import CCurl

/// Looks at the certificates of the connections that one handle makes, to say afterwards what was wrong.
final class CertificateWatch {
    private static let namesShown = 4

    private let watch: OpaquePointer?

    init() {
        watch = pl_certificate_watch_new()
    }

    deinit {
        pl_certificate_watch_release(watch)
    }

    func attach(to easy: UnsafeMutableRawPointer) {
        pl_curl_watch_certificate(easy, watch)
    }

    /// Why the peer's certificate was refused, after it was.
    var problem: CertificateProblem {
        guard let watch, pl_certificate_is_known(watch) != 0 else { return .other(code: 0) }
        // The numbers are OpenSSL's X509_V_ERR_…, which it never changes.
        switch pl_certificate_verdict(watch) {
        case 0, 62, 64: return .wrongName(names)  // the chain is fine, libcurl compares the name
        case 18: return .selfSigned
        case 2, 19, 20, 21, 27: return .unknownIssuer(issuer)
        case 9: return .notYetValid(from: time(isEnd: false))
        case 10: return .expired(at: time(isEnd: true))
        case let code: return .other(code: code)
        }
    }

    /// `Team CA (Example Inc.)`
    private var issuer: String? {
        let name = text { pl_certificate_issuer(watch, 0, $0, $1) }
        let organization = text { pl_certificate_issuer(watch, 1, $0, $1) }
        guard let name else { return organization }
        return organization.map { $0 == name ? name : "\(name) (\($0))" } ?? name
    }

    private var names: [String] {
        var names: [String] = []
        for index in 0..<Int32(Self.namesShown) {
            guard let name = text({ pl_certificate_host(watch, index, $0, $1) }) else { break }
            names.append(name)
        }
        return names
    }

    private func time(isEnd: Bool) -> Int64? {
        let seconds = pl_certificate_time(watch, isEnd ? 1 : 0)
        return seconds == .min ? nil : seconds
    }

    private func text(_ fill: (UnsafeMutablePointer<CChar>?, Int) -> Int) -> String? {
        var room = [CChar](repeating: 0, count: 256)
        let count = fill(&room, room.count)
        return PeerText.clean(room.prefix(count).map { UInt8(bitPattern: $0) })
    }
}

/// Texts out of certificates, which anybody can make.
enum PeerText {
    /// Columns of most terminals that a name may take.
    private static let limit = 48

    /// Letters, digits, simple punctuation and single blanks; whatever else there is falls away.
    /// - Returns: `nil` when nothing is left.
    static func clean(_ bytes: [UInt8]) -> String? {
        var kept = String.UnicodeScalarView()
        for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars {
            switch place(of: scalar) {
            case .kept: kept.append(scalar)
            case .dropped: break
            case .blank: if let last = kept.last, last != " " { kept.append(" ") }
            }
        }
        while kept.last == " " { kept.removeLast() }
        guard !kept.isEmpty else { return nil }
        let text = String(kept)
        return text.count > limit ? String(text.prefix(limit - 1)) + "…" : text
    }

    private enum Place {
        case kept, dropped, blank
    }

    private static func place(of scalar: Unicode.Scalar) -> Place {
        if "0123456789.-_*:&'+/".unicodeScalars.contains(scalar) { return .kept }
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .otherLetter, .decimalNumber: return .kept
        case .nonspacingMark, .enclosingMark, .format: return .dropped
        default: return .blank
        }
    }
}
