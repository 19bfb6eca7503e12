import FoundationEssentials
import Glibc
import Testing

@testable import Networking

@Suite struct CertificateFileTests {
    private let folder = FileManager.default.temporaryDirectory.path + "/certificates-\(UUID().uuidString)"

    private func failure(_ bytes: [UInt8], name: String = "ca.pem") throws -> CertificateFileError? {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }  // in the temporary directory
        try Data(bytes).write(to: URL(filePath: folder + "/" + name))
        do throws(CertificateFileError) {
            _ = try CertificateFile(folder + "/" + name)
            return nil
        } catch { return error }
    }

    private static func pem(_ der: [UInt8], _ mark: String = "CERTIFICATE") -> String {
        "-----BEGIN \(mark)-----\r\n\(Data(der).base64EncodedString())\r\n-----END \(mark)-----\r\n"
    }

    private static let der: [UInt8] = [0x30, 0x82, 0x01, 0x00] + [UInt8](repeating: 7, count: 256)

    @Test func textAroundTheCertificatesIsFine() throws {
        #expect(
            try failure(Array(("Team CA\n" + Self.pem(Self.der) + "\n" + Self.pem(Self.der)).utf8)) == nil)
    }

    @Test(arguments: [
        ("", CertificateFileError.noCertificate), ("certificates\n", .noCertificate),
        (pem(der, "PRIVATE KEY"), .noCertificate), (pem([0x31, 1, 2]), .damaged),
        ("-----BEGIN CERTIFICATE-----\n!!!!\n-----END CERTIFICATE-----\n", .damaged),
        ("-----BEGIN CERTIFICATE-----\nMIIB", .damaged), ("-----END CERTIFICATE-----\n", .damaged),
        (pem(der) + "-----BEGIN CERTIFICATE-----\n", .damaged),
    ])
    func whatIsNoCertificateIsSaidToBeNone(text: String, error: CertificateFileError) throws {
        #expect(try failure(Array(text.utf8)) == error)
    }

    @Test func aBinaryOneIsToldFromOtherFiles() throws {
        #expect(try failure(Self.der) == .binary)
        #expect(try failure([0x30, 0x0A, 0x41]) == .noCertificate)
    }

    @Test func aFileThatIsNoneIsNamed() throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }  // in the temporary directory
        #expect(throws: CertificateFileError.isFolder) { try CertificateFile(folder) }
        #expect(throws: CertificateFileError.missing) { try CertificateFile(folder + "/none") }
        #expect(throws: CertificateFileError.missing) { try CertificateFile("/dev/null/ca.pem") }
        #expect(throws: CertificateFileError.unreadable(code: EINVAL)) { try CertificateFile("/dev/zero") }
        #expect(try failure([UInt8](repeating: 0x41, count: CertificateFile.sizeLimit + 1)) == .tooLarge)
    }

    @Test(arguments: [
        CertificateFileError.missing, .isFolder, .notAllowed, .tooLarge, .binary, .noCertificate, .damaged,
        .unreadable(code: 5),
    ])
    func everyTroubleHasWords(_ error: CertificateFileError) {
        #expect(error.what.hasSuffix(".") && !error.next.isEmpty)
    }
}

@Suite struct CertificateProblemTests {
    @Test func theWordsNameWhatIsWrong() {
        #expect(
            CertificateProblem.unknownIssuer("Team CA").what
                == "The server's certificate is from an unknown issuer: Team CA.")
        #expect(
            CertificateProblem.wrongName(["a.b", "c.d"]).what == "The server's certificate is for a.b, c.d.")
        #expect(CertificateProblem.wrongName([]).what == "The server's certificate is for no host at all.")
        #expect(
            CertificateProblem.expired(at: 1_614_834_367).what
                == "The server's certificate expired on 2021-03-04.")
        #expect(CertificateProblem.expired(at: nil).what == "The server's certificate expired.")
        #expect(
            CertificateProblem.notYetValid(from: 4_039_372_800).what
                == "The server's certificate counts only from 2098-01-01 on.")
    }

    @Test(arguments: [
        ("Team CA", "Team CA"), ("  Team\u{1B}[31m\u{7}CA\u{0}", "Team 31m CA"),
        ("a\u{202E}b\u{200B}c", "abc"),
        ("Žluťoučký & Söhne+Co", "Žluťoučký & Söhne+Co"), ("日本認証局", "日本認証局"),
        ("e\u{301}\u{301}\u{301}x", "ex"),
        ("\u{1B}\u{9B}", nil), ("", nil), ("\u{F0000}😀", nil),
        (String(repeating: "x", count: 300), String(repeating: "x", count: 47) + "…"),
    ])
    func nothingButTextIsLeftOfAName(raw: String, clean: String?) {
        #expect(PeerText.clean(Array(raw.utf8)) == clean)
    }

    @Test func brokenBytesAreNoText() {
        #expect(PeerText.clean([0x41, 0xFF, 0xFE, 0x42]) == "A B")
    }
}
