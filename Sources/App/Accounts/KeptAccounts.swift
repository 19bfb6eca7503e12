import Commands
import Diagnostics
import Models
import Settings
import Store
import SupabaseBackend

/// The accounts on this machine, for the commands.
struct KeptAccounts: AccountDesk {
    private let ways: ServerWays
    private let environment: [String: String]
    private let log: Log
    /// Where paths of the command line begin.
    private let folder: String

    /// - Parameter folder: The present folder; `nil` asks the environment.
    init(_ surroundings: Surroundings, knowing known: KnownServers, folder: String? = nil) {
        ways = ServerWays(
            knowing: known, folder: surroundings.directories.accounts, log: surroundings.log)
        environment = surroundings.environment
        log = surroundings.log
        self.folder = folder ?? UserPath.present
    }

    func key(of place: SignInPlace) async throws(SignInError) -> String {
        if let key = ways.known.key(of: place.server) { return key }
        return try await way(to: place).publishableKey(of: place.server)
    }

    func look(at place: SignInPlace, key: String) async throws(SignInError) -> Bool {
        try await way(to: place).takesSignUps(at: place.server, key: key)
    }

    func signIn(_ request: LoginRequest) async throws(SignInError) -> KeptAccount {
        let place = request.place
        var credentials = SupabaseAccounts.Credentials(
            server: place.server, key: request.key, email: request.email, password: request.password)
        credentials.keeping.label = request.label
        credentials.keeping.caFile = caFile(place) ?? ways.keptCAFile(for: place.server)
        if place.allowsPlainHTTP { credentials.keeping.acceptsPlainHTTP = true }
        let way = way(to: place)
        let kept: SupabaseAccount
        if let newcomer = request.newcomer {
            kept = try await way.signUp(
                credentials, username: newcomer.username, displayName: newcomer.displayName)
        } else {
            kept = try await way.signIn(credentials)
        }
        return await told(kept)
    }

    func accounts() async -> [KeptAccount] {
        var told: [KeptAccount] = []
        for kept in ways.accounts.all() { told.append(await self.told(kept)) }
        return told
    }

    /// The account is held meanwhile, so that no screen opens it half signed out.
    func signOut(_ id: AccountID) async throws(StoreError) {
        guard let kept = ways.accounts.all().first(where: { $0.id == id }) else { return }
        let way = ways.way(of: kept)
        let lock = try AccountLock(directory: way.folder(of: kept))
        defer { withExtendedLifetime(lock) {} }
        do throws(SignInError) {
            await (try way.backend(of: kept)).signOut()
        } catch {
            // Without a backend there is no server to tell; here the account is forgotten all the same.
            log.warning("signed out here only", ["account": .id(id.rawValue)])
        }
        way.forget(id)
    }

    private func told(_ kept: SupabaseAccount) async -> KeptAccount {
        KeptAccount(
            id: kept.id, label: kept.label(ways.known), server: kept.baseURL, email: kept.email,
            isSignedIn: await ways.accounts.hasSession(kept), holder: holder(of: kept))
    }

    private func holder(of kept: SupabaseAccount) -> String? {
        do throws(StoreError) {
            _ = try AccountLock(directory: ways.accounts.folder(of: kept))
            return nil
        } catch {
            guard case .inUse(let holder) = error else { return nil }
            return holder
        }
    }

    private func way(to place: SignInPlace) -> SupabaseAccounts {
        ways.way(to: place.server, caFile: caFile(place), acceptsPlainHTTP: place.allowsPlainHTTP)
    }

    private func caFile(_ place: SignInPlace) -> String? {
        place.caFile.map { UserPath.absolute($0, in: folder, home: environment["HOME"]) }
    }
}
