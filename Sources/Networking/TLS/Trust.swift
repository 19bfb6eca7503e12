import CCurl
import FoundationEssentials

/// Whose signature on a server's certificate is believed. That somebody's is needed is not up to anybody.
package enum Trust: Hashable, Sendable {
    /// The authorities that the system trusts.
    case system
    /// Those, and the ones in a file.
    case also(CertificateFile)
    /// A file was named and cannot be used: nothing is connected to, for what would be found wrong then is not
    /// what is wrong.
    case unusable(CertificateFileError)

    /// - Parameter path: A file of PEM certificates; `nil` for the system's alone.
    package init(file path: String?) {
        guard let path else {
            self = .system
            return
        }
        do throws(CertificateFileError) { self = .also(try CertificateFile(path)) } catch {
            self = .unusable(error)
        }
    }
}

extension CurlOptions {
    mutating func setTrust(_ trust: Trust) {
        guard case .also(let file) = trust else { return }
        // The blob takes the place of libcurl's bundle, but not of its folder of certificates.
        let pem = file.pem + SystemAuthorities.besidesFolder
        pem.withUnsafeBytes { set(CURLOPT_CAINFO_BLOB, blob: $0) }
    }
}

/// The bundle libcurl would have read by itself.
enum SystemAuthorities {
    /// PEM; empty where libcurl has a folder of certificates, which has the same ones.
    static let besidesFolder: [UInt8] = {
        guard let easy = curl_easy_init() else { return [] }
        defer { curl_easy_cleanup(easy) }
        guard text(CURLINFO_CAPATH, easy) == nil, let bundle = text(CURLINFO_CAINFO, easy) else { return [] }
        // One that is not there is no bundle: the file of the user then stands alone.
        guard let bytes = try? Data(contentsOf: URL(filePath: bundle)) else { return [] }
        return [0x0A] + bytes
    }()

    private static func text(_ info: CURLINFO, _ easy: UnsafeMutableRawPointer) -> String? {
        var value: UnsafePointer<CChar>?
        guard pl_curl_get_string(easy, info, &value) == CURLE_OK, let value else { return nil }
        return String(cString: value)
    }
}
