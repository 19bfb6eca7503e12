import Addresses
import Backend
import Diagnostics
import FoundationEssentials
import Models
import Networking
import Secrets
import SupabaseWire

/// Gets accounts by signing up and in, and keeps them: a folder each, with `account.json` and the secrets.
package struct SupabaseAccounts: Sendable {
    private let files: AccountFiles
    private let network: SupabaseNetwork
    private let allowsPlainHTTP: Bool
    private let clock: BackendClock
    private let log: Log

    /// - Parameters:
    ///   - folder: Holds one folder per account, named by its id; made when missing.
    ///   - allowsPlainHTTP: Whether new accounts may use http to other machines; `network` must agree.
    package init(
        folder: String, network: SupabaseNetwork, allowsPlainHTTP: Bool = false,
        clock: BackendClock = .system,
        log: Log = .silent
    ) {
        files = AccountFiles(folder: folder)
        self.network = network
        self.allowsPlainHTTP = allowsPlainHTTP
        self.clock = clock
        self.log = log
    }

    /// What a person types to get in.
    package struct Credentials: Sendable {
        /// The server's address, leniently read.
        package var server: String
        /// The project's publishable key; empty for a server that says its own.
        package var key: String
        package var email: String
        package var password: String
        /// What to keep with the account, besides what is kept with it already.
        package var keeping = Wishes()

        package init(server: String, key: String = "", email: String, password: String) {
            self.server = server
            self.key = key
            self.email = email
            self.password = password
        }
    }

    /// What the owner of an account decides about it at the sign-in; what is `nil` stays as it was.
    package struct Wishes: Hashable, Sendable {
        package var label: String?
        package var caFile: String?
        package var acceptsPlainHTTP: Bool?

        package init(label: String? = nil, caFile: String? = nil, acceptsPlainHTTP: Bool? = nil) {
            self.label = label
            self.caFile = caFile
            self.acceptsPlainHTTP = acceptsPlainHTTP
        }
    }

    // MARK: Getting in

    /// Signs in with mail address and password, and keeps the account and its session.
    ///
    /// Signing in again to an account that is kept replaces its session and nothing else.
    package func signIn(_ credentials: Credentials) async throws(SignInError) -> SupabaseAccount {
        let auth = try await auth(for: credentials)
        let session: StoredSession
        do throws(AuthFailure) {
            session = try await auth.signIn(
                email: Self.trimmed(credentials.email), password: credentials.password)
        } catch { throw error.signInError }
        return try await keep(session, credentials, auth)
    }

    /// Makes an account, signed in at once where the server confirms mail addresses by itself.
    /// - Throws: `.addressNotConfirmed` when a mail must be answered first.
    package func signUp(_ credentials: Credentials, username: String, displayName: String)
        async throws(SignInError) -> SupabaseAccount
    {
        guard Self.isUsername(username) else { throw .badName }
        let auth = try await auth(for: credentials)
        let name = Self.trimmed(displayName)
        let body = SignUpBody(
            email: Self.trimmed(credentials.email), password: credentials.password, username: username,
            displayName: name.isEmpty ? username : name)
        let answer: AuthClient.SignedUp
        do throws(AuthFailure) { answer = try await auth.signUp(body) } catch { throw error.signInError }
        switch answer {
        case .session(let session): return try await keep(session, credentials, auth)
        case .mustConfirm: throw .addressNotConfirmed
        }
    }

    /// Whether a server of Pingline's own answers at the address; waits no longer than for any sign-in.
    package func isPinglineServer(at address: String) async -> Bool {
        // Why it does not answer is of no interest to who asks whether it does.
        (try? await publishableKey(of: address)) != nil
    }

    /// Asks the server for its key; only Pingline's own says it.
    /// - Parameter server: As typed.
    /// - Throws: `.keyNeeded` when there is a server that does not tell.
    package func publishableKey(of server: String) async throws(SignInError) -> String {
        try await publishableKey(of: try address(server))
    }

    /// Asks the server for its rules, for which it must know the key.
    /// - Parameter server: As typed.
    /// - Returns: Whether it takes new accounts.
    package func takesSignUps(at server: String, key: String) async throws(SignInError) -> Bool {
        let auth = try client(of: try address(server), key: key)
        do throws(AuthFailure) { return try await auth.takesSignUps() } catch { throw error.signInError }
    }

    // MARK: Kept accounts

    /// The accounts of this kind that are kept, in a fixed order.
    package func all() -> [SupabaseAccount] { files.all() }

    /// What keeps accounts off that list. A damaged file is set aside, so each is told once.
    package func troubles() -> [AccountFileTrouble] { files.troubles() }

    /// Why the kept session of an account cannot be used, in words; `nil` when it can, or when there is none.
    /// A damaged one is set aside, so it is told once.
    package func sessionTrouble(of account: SupabaseAccount) async -> UserCopy? {
        do throws(SecretError) {
            _ = try await files.secrets(of: account.id).value(for: SupabaseSession.secretName)
            return nil
        } catch { return error.userCopy }
    }

    /// Takes an account off the list of kept ones, as signing out does. Its messages and its outbox stay on the disk
    /// and are there again when the same person signs in.
    package func forget(_ id: AccountID) { files.forget(id) }

    /// The account's own folder, which also holds its store.
    package func folder(of account: SupabaseAccount) -> String { files.folder(of: account.id) }

    /// Whether there is a session to go on with.
    package func hasSession(_ account: SupabaseAccount) async -> Bool {
        // One that cannot be read is none to go on with.
        let text = try? await files.secrets(of: account.id).value(for: SupabaseSession.secretName)
        return text != nil
    }

    /// A backend for a kept account. It works without a network, and without a session says `.signedOut`.
    package func backend(of account: SupabaseAccount) throws(SignInError) -> SupabaseBackend {
        try SupabaseBackend(
            account, network: network, secrets: files.secrets(of: account.id), clock: clock, log: log)
    }

    // MARK: Parts

    private func auth(for credentials: Credentials) async throws(SignInError) -> AuthClient {
        let address = try address(credentials.server)
        let given = Self.trimmed(credentials.key)
        return try client(of: address, key: given.isEmpty ? try await publishableKey(of: address) : given)
    }

    private func client(of address: ServerAddress, key: String) throws(SignInError) -> AuthClient {
        let key = Self.trimmed(key)
        guard !ProjectKey.isForServers(key) else { throw .secretKey }
        return AuthClient(address: address, key: key, http: network.http, clock: clock)
    }

    private func address(_ typed: String) throws(SignInError) -> ServerAddress {
        do throws(ServerAddressError) {
            return try ServerAddress(typed, allowsPlainHTTP: allowsPlainHTTP)
        } catch { throw error.signInError }
    }

    /// Asks a Pingline server for its key. Another server has none to say, and its owner must.
    private func publishableKey(of address: ServerAddress) async throws(SignInError) -> String {
        let request = HTTPRequest(
            .get, address.health, headers: ["Accept": "application/json"], timeout: .seconds(8),
            responseLimit: 1 << 16)
        let answer: HTTPResponse
        do throws(NetworkError) { answer = try await network.http.send(request) } catch {
            throw SignInError(error.backendError)
        }
        if answer.status == 540 { throw .projectPaused }
        if answer.isTransient { throw .unreachable(.serverUnavailable) }
        // Whatever else it is, it says no key.
        let body = answer.isSuccess ? try? WireCoding.decode(HealthBody.self, from: answer.body) : nil
        guard let key = body?.publishableKey else { throw .keyNeeded }
        return key
    }

    private func keep(_ session: StoredSession, _ credentials: Credentials, _ auth: AuthClient)
        async throws(SignInError) -> SupabaseAccount
    {
        var account = SupabaseAccount(
            baseURL: auth.address.base, key: auth.key, userID: session.userID,
            email: Self.trimmed(credentials.email), allowsPlainHTTP: auth.address.isPlain)
        let before = files.kept(account.id)
        let wishes = credentials.keeping
        account.label = wishes.label ?? before?.label
        account.caFile = wishes.caFile ?? before?.caFile
        account.acceptsPlainHTTP = wishes.acceptsPlainHTTP ?? before?.acceptsPlainHTTP
        do throws(SecretError) {
            try files.write(account, at: clock.wall())
            try await store(session, in: files.secrets(of: account.id))
        } catch { throw .notKept(error.userCopy) }
        do throws(SignInError) { try await checkTables(of: account) } catch {
            if before == nil { files.forget(account.id) }
            throw error
        }
        log.info("signed in", ["account": .id(account.id.rawValue)])
        return account
    }

    /// A damaged file was set aside by the first look at it; the new session needs none of it.
    private func store(_ session: StoredSession, in secrets: FileSecretStore) async throws(SecretError) {
        do throws(SecretError) {
            try await SupabaseSession.write(session, to: secrets)
        } catch {
            guard case .damaged(.some) = error else { throw error }
            try await SupabaseSession.write(session, to: secrets)
        }
    }

    /// A project without the messenger's tables signs people in too. Only that is looked for: any other
    /// trouble may pass, and the account is there.
    private func checkTables(of account: SupabaseAccount) async throws(SignInError) {
        let backend = try backend(of: account)
        do throws(BackendError) {
            _ = try await backend.ownProfile()
        } catch {
            if error == .unsupported { throw .tablesMissing }
        }
    }

    private static func trimmed(_ text: String) -> String {
        let kept = text.drop(while: \.isWhitespace)
        guard let last = kept.lastIndex(where: { !$0.isWhitespace }) else { return "" }
        return String(kept[...last])
    }

    /// What the server's own rule takes: 3 to 32 of small letters, digits, dots and underscores, with a
    /// letter or digit at both ends.
    private static func isUsername(_ name: String) -> Bool {
        func isPlain(_ byte: UInt8) -> Bool {
            (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
                || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
        }
        let bytes = Array(name.utf8)
        guard (3...32).contains(bytes.count), let first = bytes.first, let last = bytes.last else {
            return false
        }
        return isPlain(first) && isPlain(last)
            && bytes.allSatisfy { isPlain($0) || $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "_") }
    }
}
