import Addresses
import Diagnostics
import FoundationEssentials
import Models
import Networking
import Secrets
import SupabaseWire
import TestSupport
import Testing

@testable import SupabaseBackend

/// A session with a scripted server, a secrets file of its own and time by hand.
struct SessionWorld {
    let http: ScriptedHTTP
    let clock = ManualClock()
    let place: TemporaryFolder
    let secrets: FileSecretStore
    let address: ServerAddress

    init(_ http: ScriptedHTTP = ScriptedHTTP()) throws {
        self.http = http
        place = try TemporaryFolder()
        secrets = FileSecretStore(folder: place.path)
        address = try ServerAddress(ScriptedHTTP.base)
    }

    static let userID = CoreDriver.me
    var folder: String { place.path }

    /// Whoever has it keeps the folder.
    var backendClock: BackendClock {
        BackendClock(
            wall: { [clock, place] in withExtendedLifetime(place) { clock.now.microseconds } },
            uptime: { [clock] in .microseconds(clock.now.microseconds) },
            sleep: { [clock] in try await clock.sleep($0) })
    }

    /// Seconds since 1970 by our clock.
    var seconds: Int64 { clock.now.microseconds / 1_000_000 }

    func session(secrets other: (any SecretStore)? = nil) -> SupabaseSession {
        SupabaseSession(
            auth: auth, of: Self.userID, secrets: other ?? secrets, clock: backendClock, log: .silent)
    }

    var auth: AuthClient {
        AuthClient(address: address, key: "key", http: http, clock: backendClock)
    }

    func rest(_ session: SupabaseSession) -> Reading {
        let client = RestClient(
            address: address, key: "key", http: http, session: session, clock: backendClock, log: .silent)
        return Reading(rest: client, mapping: Mapping(address: address, userID: Self.userID))
    }

    func files() -> Files {
        Files(
            client: StorageClient(
                address: address, key: "key", http: http, session: session(), clock: backendClock,
                log: .silent))
    }

    /// Keeps a session whose token lives from now for `life` seconds by a server whose clock is `ahead` of
    /// ours.
    func keep(_ number: Int, life: Int64 = 3_600, ahead: Int64 = 0) async throws {
        let body = try WireCoding.decode(
            SessionBody.self, from: sessionJSON(number, life: life, ahead: ahead))
        try await SupabaseSession.write(StoredSession(body, receivedAt: clock.now.microseconds), to: secrets)
    }

    func sessionJSON(_ number: Int, life: Int64 = 3_600, ahead: Int64 = 0, of userID: UUID = Self.userID)
        -> String
    {
        """
        {"access_token":"\(Self.token(number, issuedAt: seconds + ahead, life: life))","token_type":"bearer",\
        "expires_in":\(life),"expires_at":\(seconds + ahead + life),"refresh_token":"refresh\(number)",\
        "user":{"id":"\(userID.uuidString)"}}
        """
    }

    /// A token with a number in it, unsigned.
    static func token(_ number: Int, issuedAt: Int64, life: Int64) -> String {
        let claims = #"{"exp":\#(issuedAt + life),"iat":\#(issuedAt),"n":\#(number)}"#
        let middle = Data(claims.utf8).base64EncodedString().filter { $0 != "=" }
        return "h.\(middle).s\(number)"
    }
}

/// The number a token of `SessionWorld` was made with.
func number(of token: String) -> Int? { token.split(separator: "s").last.flatMap { Int($0) } }
