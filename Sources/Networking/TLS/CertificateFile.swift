import FoundationEssentials
import Glibc

/// A file of PEM certificates of authorities that the user trusts besides the system's.
package struct CertificateFile: Hashable, Sendable {
    /// Bytes; a larger file is another file.
    static let sizeLimit = 1 << 20

    /// As given.
    package let path: String
    let pem: [UInt8]

    /// Reads the file and looks whether there are certificates in it.
    package init(_ path: String) throws(CertificateFileError) {
        self.path = path
        pem = try Self.bytes(at: path)
        try Self.check(pem)
    }

    /// A pipe or a device counts as unreadable: it could block for ever.
    private static func bytes(at path: String) throws(CertificateFileError) -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw CertificateFileError(code: errno) }
        defer { _ = close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw CertificateFileError(code: errno) }
        switch status.st_mode & S_IFMT {
        case S_IFREG: break
        case S_IFDIR: throw .isFolder
        default: throw .unreadable(code: EINVAL)
        }
        var all: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 16_384)
        while true {
            let count = read(descriptor, &chunk, chunk.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw CertificateFileError(code: errno) }
            guard count > 0 else { return all }
            all += chunk.prefix(count)
            guard all.count <= sizeLimit else { throw .tooLarge }
        }
    }

    /// The marks of RFC 7468, with what may come between them: Base64 of a DER sequence.
    private static func check(_ pem: [UInt8]) throws(CertificateFileError) {
        // DER begins with the tag of a sequence and a length of more than one byte.
        if pem.first == 0x30, pem.dropFirst().first.map({ $0 >= 0x80 }) ?? false { throw .binary }
        var body: String?
        var count = 0
        for line in String(decoding: pem, as: UTF8.self).split(whereSeparator: \.isNewline) {
            switch line.trimmingBlanks {
            case "-----BEGIN CERTIFICATE-----", "-----BEGIN TRUSTED CERTIFICATE-----": body = ""
            case "-----END CERTIFICATE-----", "-----END TRUSTED CERTIFICATE-----":
                guard let text = body, isCertificate(text) else { throw .damaged }
                count += 1
                body = nil
            case let text: body?.append(contentsOf: text)
            }
        }
        guard body == nil else { throw .damaged }
        guard count > 0 else { throw .noCertificate }
    }

    private static func isCertificate(_ base64: String) -> Bool {
        guard let der = Data(base64Encoded: base64) else { return false }
        return der.count > 64 && der.first == 0x30
    }
}

/// Why a file of certificates cannot be used.
package enum CertificateFileError: Error, Hashable, Sendable {
    case missing
    case isFolder
    case notAllowed
    case tooLarge
    /// A certificate in DER, not in PEM.
    case binary
    /// A text, perhaps a key, but no certificate is in it.
    case noCertificate
    /// The marks are there, and between them is no certificate.
    case damaged
    /// The system's `errno`, for the log.
    case unreadable(code: Int32)

    fileprivate init(code: Int32) {
        switch code {
        case ENOENT, ENOTDIR: self = .missing
        case EACCES, EPERM: self = .notAllowed
        default: self = .unreadable(code: code)
        }
    }

    /// What happened, in words for people.
    package var what: String {
        switch self {
        case .missing: "The file of trusted certificates is not there."
        case .isFolder: "The file of trusted certificates is a folder."
        case .notAllowed: "The file of trusted certificates may not be read."
        case .tooLarge: "The file of trusted certificates is larger than any such file."
        case .binary: "The file of trusted certificates is in binary form (DER)."
        case .noCertificate: "There is no certificate in the file of trusted certificates."
        case .damaged: "The file of trusted certificates is damaged."
        case .unreadable: "The file of trusted certificates cannot be read."
        }
    }

    /// What to do about it.
    package var next: String {
        switch self {
        case .missing: "Check the path that ca_file or --ca-file gives."
        case .isFolder: "Name a file in it."
        case .notAllowed: "Give yourself the right to read it."
        case .tooLarge, .noCertificate:
            "Name a file with the authority's certificate, which has a line BEGIN CERTIFICATE."
        case .binary: "Turn it into text: openssl x509 -inform der -in FILE -out FILE.pem"
        case .damaged: "Fetch it again from who runs the server."
        case .unreadable: "Check the disk and the file."
        }
    }
}

extension StringProtocol {
    fileprivate var trimmingBlanks: String {
        let start = drop { $0 == " " || $0 == "\t" }
        let end = start.reversed().drop { $0 == " " || $0 == "\t" }
        return String(end.reversed())
    }
}
