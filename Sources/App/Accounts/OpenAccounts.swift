import Attachments
import Backend
import Commands
import Demo
import Diagnostics
import FoundationEssentials
import Models
import Networking
import Programs
import Settings
import Store
import SupabaseBackend
import Sync
import TelegramBackend
import ViewModels

/// The accounts that are open in this process, each with its engine and store.
actor OpenAccounts: AccountDoor {
    /// What became of one account that was to be opened.
    enum Outcome: Sendable {
        case opened(Account)
        /// The demo's account: a newcomer is led to somebody to talk to.
        case demo(Account)
        case trouble(UserCopy)
    }

    /// One open account.
    private struct Opened {
        let engine: SyncEngine
        let backend: any ChatBackend
        /// `nil`: it takes no files.
        let pictures: PictureShelf?
        /// A folder that goes with the account's closing.
        var passingFolder: String?
    }

    private let ways: ServerWays
    private let accounts: SupabaseAccounts
    private let directories: Directories
    private let environment: [String: String]
    private let keepsAccounts: Bool
    private let log: Log
    private var opened: [AccountID: Opened] = [:]
    private var demo: Demo?

    init(_ surroundings: Surroundings, knowing known: KnownServers) {
        directories = surroundings.directories
        environment = surroundings.environment
        keepsAccounts = surroundings.keepsAccounts
        log = surroundings.log
        ways = ServerWays(
            knowing: known, folder: surroundings.directories.accounts, log: surroundings.log)
        accounts = ways.accounts
    }

    // MARK: Opening

    /// Opens every account that is kept; one that cannot be opened stands in no other's way.
    func openKept() async -> [Outcome] {
        var outcomes = accounts.troubles().map { Outcome.trouble($0.userCopy) }
        for kept in accounts.all() {
            do throws(SignInError) {
                let (account, news) = try await open(kept)
                outcomes += [.opened(account)] + news.map { .trouble($0) }
            } catch { outcomes.append(.trouble(error.userCopy)) }
        }
        return outcomes
    }

    /// Closes an account whose store turned out to be damaged, and opens it on one that is built anew.
    /// - Returns: Nothing when it is not kept or not open any more.
    func mend(_ id: AccountID) async -> [Outcome] {
        guard let kept = accounts.all().first(where: { $0.id == id }),
            let before = opened.removeValue(forKey: id)
        else { return [] }
        await stop(before)
        do throws(SignInError) {
            let (account, news) = try await open(kept)
            return [.opened(account)] + news.map { .trouble($0) }
        } catch { return [.trouble(error.userCopy)] }
    }

    /// - Returns: Also what to tell: damage that was mended, and what cannot be kept.
    private func open(_ kept: SupabaseAccount) async throws(SignInError) -> (Account, news: [UserCopy]) {
        let (store, passingFolder, trouble) = try await store(of: kept)
        let news = [await accounts.sessionTrouble(of: kept), trouble].compactMap { $0 }
        let account = await start(
            try ways.way(of: kept).backend(of: kept), store, id: kept.id, label: kept.label(ways.known),
            pictures: "\(directories.cache)/pictures/\(kept.id.rawValue.uuidString.lowercased())",
            facts: AccountFacts(server: kept.baseURL, email: kept.email, caFile: ways.caFile(of: kept)),
            passingFolder: passingFolder, isKept: keepsAccounts && passingFolder == nil)
        return (account, news)
    }

    /// The account's store; where it takes no writing, one in memory.
    private func store(of kept: SupabaseAccount)
        async throws(SignInError) -> (store: MessageStore, passingFolder: String?, trouble: UserCopy?)
    {
        let folder = accounts.folder(of: kept)
        do throws(StoreError) {
            do throws(StoreError) {
                let (store, rescue) = try await MessageStore.openOrRebuild(
                    directory: folder, for: kept.userID)
                if let rescue { log.warning("store set aside", ["messages": .count(rescue.messages)]) }
                return (store, nil, rescue?.userCopy)
            } catch {
                guard error.allowsMemory else { throw error }
                log.warning("store in memory")
                let spool = "\(directories.runtime)/spool-\(kept.id.rawValue.text)"
                let store = try await MessageStore.passing(
                    directory: folder, for: kept.userID, spoolFolder: spool)
                return (store, spool, error.memoryCopy)
            }
        } catch { throw .notKept(error.userCopy) }
    }

    /// - Parameter pictures: The folder for what is fetched to be looked at.
    private func start(
        _ backend: any ChatBackend, _ store: MessageStore, id: AccountID, label: String, pictures: String,
        facts: AccountFacts? = nil, passingFolder: String? = nil, isKept: Bool
    ) async -> Account {
        let engine = SyncEngine(account: id, store: store, backend: backend, log: log)
        let shelf = store.spoolFolder.map { _ in PictureShelf(pictures, saver: FileSaver(backend, log: log)) }
        opened[id] = Opened(
            engine: engine, backend: backend, pictures: shelf, passingFolder: passingFolder)
        let files = await files(of: store, backend)
        await engine.start()
        return Account(service: engine, label: label, files: files, facts: facts, isKept: isKept)
    }

    /// Sweeps away what an earlier run left in the spool, before anything new can come into it.
    private func files(of store: MessageStore, _ backend: any ChatBackend) async -> AccountFiles? {
        guard let folder = store.spoolFolder else { return nil }
        let spool = Spool(folder, limit: backend.capabilities.fileLimit)
        do throws(StoreError) { spool.sweep(keeping: try await store.neededCopies()) } catch {
            log.warning("spool not swept")
        }
        return AccountFiles(
            spool: spool, saver: FileSaver(backend, log: log),
            runner: ProgramRunner(environment: environment, log: log), environment: environment,
            cache: directories.cache + "/opened")
    }

    // MARK: The forms

    /// Signing in to an account that is open already gives it the new session: its engine starts anew.
    func signIn(_ request: SignInRequest) async throws(SignInError) -> Account {
        var credentials = SupabaseAccounts.Credentials(
            server: request.address, key: key(for: request),
            email: request.email, password: request.password)
        credentials.keeping.caFile = ways.keptCAFile(for: request.address)
        let way = ways.way(to: request.address)
        let kept =
            request.isNew
            ? try await way.signUp(
                credentials, username: request.username, displayName: request.displayName)
            : try await way.signIn(credentials)
        if let before = opened.removeValue(forKey: kept.id) { await stop(before) }
        return try await open(kept).0
    }

    private func key(for request: SignInRequest) -> String {
        request.key ?? ways.known.key(of: request.address) ?? ways.keptKey(for: request.address) ?? ""
    }

    func tryItHere() async throws(SignInError) -> Account {
        try await openDemo(outage: nil)
    }

    /// Starts the demo's server and people, and signs in. Its messages stay in memory.
    func openDemo(outage: Outage?) async throws(SignInError) -> Account {
        await demo?.stop()
        let folder = DemoFolder.make(in: directories.runtime)
        let now = Date().microseconds
        let demo = Demo(
            DemoConfiguration(
                folder: folder, outage: outage, offset: LocalClock.system.offset(at: now), log: log))
        self.demo = demo
        let way: DemoAccount
        do throws(DemoError) { way = try await demo.start() } catch {
            throw .notKept(UserCopy(error.what, next: error.next))
        }
        let guest = SupabaseAccounts(folder: folder + "/you", network: .system(), log: log)
        let kept = try await guest.signIn(
            .init(server: way.baseURL, key: way.key, email: way.email, password: way.password))
        let store: MessageStore
        do throws(StoreError) {
            store = try MessageStore.inMemory(for: kept.userID, spoolFolder: folder + "/spool")
        } catch {
            throw .notKept(error.userCopy)
        }
        return await start(
            try guest.backend(of: kept), store, id: kept.id, label: "demo", pictures: folder + "/pictures",
            isKept: false)
    }

    /// A key is asked for when the server turns out to need one.
    func needsKey(_ address: String) async -> Bool? { nil }

    func nearbyServer() async -> String? {
        let kept = Set(accounts.all().map(\.baseURL))
        if let address = ways.known.addresses.first(where: { !kept.contains($0) }) { return address }
        let address = "http://127.0.0.1:\(ServeArguments.defaultPort)"
        guard !kept.contains(address), await accounts.isPinglineServer(at: address) else { return nil }
        return address
    }

    nonisolated func obstacle(to choice: FirstRunChoice) -> UserCopy? {
        switch choice {
        case .tryItHere, .signIn: return nil
        case .telegram:
            do throws(TDLibraryError) {
                _ = try TDLibrary.load(override: environment["PINGLINE_TDJSON"], executableFolder: nil)
            } catch { return error.userCopy }
            return UserCopy("This version cannot sign in to Telegram.", next: "Use another kind of account.")
        }
    }

    // MARK: While they are open

    /// The pictures of an open account.
    func pictures(of id: AccountID) -> PictureShelf? { opened[id]?.pictures }

    /// Looks at every link at once: the machine was asleep, or the program stopped.
    func wakeUp() async {
        for account in opened.values { await account.engine.wakeUp() }
    }

    // MARK: Closing

    /// Ends the session of an account at its server as far as it can be reached, closes it here and keeps it closed.
    func signOut(_ id: AccountID) async {
        guard let account = opened.removeValue(forKey: id) else { return }
        await stop(account)
        await account.backend.signOut()
        account.pictures?.clear()
        accounts.forget(id)
    }

    /// Flushes and closes everything.
    func close() async {
        await withTaskGroup { group in
            for account in opened.values { group.addTask { await self.stop(account) } }
        }
        opened = [:]
        await demo?.stop()
        demo = nil
    }

    private func stop(_ account: Opened) async {
        await account.engine.stop()
        guard let folder = account.passingFolder else { return }
        try? FileManager.default.removeItem(atPath: folder)  // one that was never made
    }
}
