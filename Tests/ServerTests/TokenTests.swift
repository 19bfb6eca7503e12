import Digest
import SupabaseWire
import Testing

@testable import Server

@Suite struct TokenTests {
    let signer = TokenSigner(secret: [UInt8](repeating: 7, count: 32))
    let claims: JSONValue = [
        "role": "authenticated", "sub": "3D0F9B52-6A1E-4C77-9D64-0E5B7A1F2C11", "exp": 100,
    ]

    init() { #expect(Sodium.start()) }

    @Test func aTokenIsReadBack() throws {
        let read = try signer.verify(signer.sign(claims))
        #expect(read.subject == "3d0f9b52-6a1e-4c77-9d64-0e5b7a1f2c11")
        #expect(read.role == "authenticated")
        #expect(read.expiresAt == 100)
    }

    /// RFC 7515 appendix A.1: header, claims and signature as printed there, but with its key.
    @Test func theSignatureIsHMACWithSHA256() throws {
        let key = try #require(
            Base64URL.decode(
                "AyM1SysPpbyDfgZld3umj1qzKObwVMkoqQ-EstJQLr_T-1qS0gZH75aKtMN3Yj0iPS4hcgUuTwjAzZr1Z9CAow"))
        let signed =
            "eyJ0eXAiOiJKV1QiLA0KICJhbGciOiJIUzI1NiJ9.eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6"
            + "Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ"
        let read = try TokenSigner(secret: key)
            .verify(signed + ".dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk")
        #expect(read.expiresAt == 1_300_819_380)
    }

    @Test func anAlteredTokenIsRefused() throws {
        let parts = signer.sign(claims).split(separator: ".").map(String.init)
        let forged = Base64URL.encode(Array(#"{"role":"authenticated","sub":"x","exp":999}"#.utf8))
        #expect(throws: TokenSigner.Fault.signature) {
            try signer.verify([parts[0], forged, parts[2]].joined(separator: "."))
        }
        #expect(throws: TokenSigner.Fault.signature) {
            try TokenSigner(secret: [UInt8](repeating: 8, count: 32)).verify(parts.joined(separator: "."))
        }
    }

    @Test func aTokenWithoutSignatureIsRefused() {
        let header = Base64URL.encode(Array(#"{"alg":"none"}"#.utf8))
        let payload = Base64URL.encode(Array(claims.jsonText.utf8))
        #expect(throws: TokenSigner.Fault.malformed) { try signer.verify("\(header).\(payload).") }
        for text in ["", "a.b", "x.y.z", "a.b.c.d"] {
            #expect(throws: TokenSigner.Fault.malformed) { try signer.verify(text) }
        }
    }

    @Test func theRestDoorForgivesThirtySecondsAndTheSocketNone() throws {
        let gate = Gate(signer: signer, publishableKey: "key", opaqueKey: "sb_publishable_x")
        let token = signer.sign(claims)
        let request = IncomingRequest(
            method: "GET", target: "/", headers: [("Authorization", "Bearer \(token)")])
        #expect(try gate.restCaller(request, now: 129_000_000).role == .authenticated)
        let late = #expect(throws: Refusal.self) { try gate.restCaller(request, now: 130_000_000) }
        #expect(late?.code == "PGRST303")
        let reader = TokenReader(gate: gate) { 100_000_000 }
        let fault = #expect(throws: TokenReader.Fault.self) { try reader.identity(token) }
        #expect(fault?.reason == "InvalidJWTToken: Token has expired 0 seconds ago")
    }

    @Test func theProjectsKeyIsNobody() throws {
        let gate = Gate(signer: signer, publishableKey: "key", opaqueKey: "sb_publishable_x")
        let request = IncomingRequest(method: "GET", target: "/", headers: [("authorization", "bearer key")])
        #expect(try gate.restCaller(request, now: 0) == .anonymous)
        #expect(try TokenReader(gate: gate) { 0 }.identity("sb_publishable_x") == .anonymous)
    }

    @Test func aPasswordMatchesItsHashOnly() throws {
        let hash = try #require(Sodium.hash(password: "correct horse", cost: .least))
        #expect(hash.hasPrefix("$argon2id$"))
        #expect(Sodium.matches(password: "correct horse", hash: hash))
        #expect(!Sodium.matches(password: "correct hors", hash: hash))
        #expect(!Sodium.matches(password: "", hash: "nonsense"))
    }
}
