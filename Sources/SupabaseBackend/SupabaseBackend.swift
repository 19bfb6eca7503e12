import Addresses
import Backend
import Diagnostics
import FoundationEssentials
import Models
import Networking
import Secrets

/// A signed-in account of a server that speaks Supabase's protocols.
///
/// Calls run side by side and keep nothing; only the session and the live link have a state, each in its
/// actor.
package final class SupabaseBackend: ChatBackend {
    package let userID: UUID
    package let capabilities = Capabilities(
        repeatsAreHarmless: true, canEdit: true, canDelete: true, canReact: true, canStartConversations: true,
        showsTyping: true, bodyLimit: Writing.bodyLimit, fileLimit: Files.limit)

    private let session: SupabaseSession
    private let reading: Reading
    private let writing: Writing
    private let files: Files
    private let links: RealtimeLinks

    /// - Parameters:
    ///   - account: As `SupabaseAccounts` gave it.
    ///   - secrets: Where the account's session is; `SupabaseAccounts.secrets(of:)`.
    package init(
        _ account: SupabaseAccount, network: SupabaseNetwork, secrets: any SecretStore,
        clock: BackendClock = .system, log: Log = .silent
    ) throws(SignInError) {
        let address: ServerAddress
        do throws(ServerAddressError) {
            address = try ServerAddress(account.baseURL, allowsPlainHTTP: account.allowsPlainHTTP)
        } catch { throw error.signInError }
        userID = account.userID
        let auth = AuthClient(address: address, key: account.key, http: network.http, clock: clock)
        session = SupabaseSession(
            auth: auth, of: account.userID, secrets: secrets, clock: clock, log: log)
        let rest = RestClient(
            address: address, key: account.key, http: network.http, session: session, clock: clock, log: log)
        reading = Reading(rest: rest, mapping: Mapping(address: address, userID: account.userID))
        files = Files(
            client: StorageClient(
                address: address, key: account.key, http: network.http, session: session, clock: clock,
                log: log))
        writing = Writing(reading: reading, files: files)
        links = RealtimeLinks(
            url: address.realtime(key: account.key), sockets: network.sockets, session: session,
            reading: reading, clock: clock, log: log)
    }

    // MARK: The link

    package func connect() async throws(BackendError) -> AsyncStream<BackendEvent> {
        try await links.connect()
    }

    package func checkLink() async { await links.check() }

    package func joinChannel(of conversationID: UUID) async { await links.hold(conversationID) }
    package func leaveChannel(of conversationID: UUID) async { await links.release(conversationID) }

    package func setTyping(_ isTyping: Bool, in conversationID: UUID) async {
        await links.type(isTyping, in: conversationID)
    }

    // MARK: Reading

    package func ownProfile() async throws(BackendError) -> Person {
        try await asked { () throws(RestFailure) in try await reading.ownProfile() }
    }

    package func conversations(before anchor: ConversationHead?)
        async throws(BackendError) -> [ConversationHead]
    {
        try await asked { () throws(RestFailure) in try await reading.conversations(before: anchor) }
    }

    package func history(of conversationID: UUID, before anchor: MessageAnchor?, limit: Int)
        async throws(BackendError) -> [MessageChange]
    {
        try await asked { () throws(RestFailure) in
            try await reading.history(of: conversationID, before: anchor, limit: limit)
        }
    }

    package func message(_ id: UUID, in conversationID: UUID) async throws(BackendError) -> MessageChange {
        let row = try await asked { () throws(RestFailure) in try await reading.message(id) }
        let change = row.map { reading.mapping.change($0) }
        guard let change, change.message.conversationID == conversationID else { throw .notFound }
        return change
    }

    package func changes(in conversationID: UUID, after cursor: SyncCursor, page: ChangePageToken?)
        async throws(BackendError) -> ChangePage
    {
        try await asked { () throws(RestFailure) in
            try await CatchUp(reading: reading, conversationID: conversationID, cursor: cursor).page(page)
        }
    }

    package func members(of conversationID: UUID) async throws(BackendError) -> [Member] {
        try await asked { () throws(RestFailure) in try await reading.members(of: conversationID) }
    }

    package func people(matching query: String) async throws(BackendError) -> [Person] {
        try await asked { () throws(RestFailure) in try await reading.people(matching: query) }
    }

    // MARK: Writing

    package func perform(_ operation: OutgoingOperation) async -> OperationOutcome {
        await writing.perform(operation)
    }

    package func createConversation(id: UUID, with people: [UUID], title: String?, isGroup: Bool)
        async throws(BackendError) -> UUID
    {
        try await asked { () throws(RestFailure) in
            try await writing.createConversation(id: id, with: people, title: title, isGroup: isGroup)
        }
    }

    package func addMembers(_ people: [UUID], to conversationID: UUID) async throws(BackendError) {
        try await asked { () throws(RestFailure) in try await writing.addMembers(people, to: conversationID) }
    }

    package func leaveConversation(_ conversationID: UUID) async throws(BackendError) {
        try await asked { () throws(RestFailure) in try await writing.leaveConversation(conversationID) }
    }

    // MARK: Files

    package func upload(_ file: FileUpload, progress: @escaping FileProgress) async -> UploadOutcome {
        await files.upload(file, progress: progress)
    }

    package func remoteFile(at path: String) async throws(BackendError) -> RemoteFile {
        do throws(StorageFailure) { return try await files.remoteFile(at: path) } catch {
            throw error.backendError
        }
    }

    package func fetch(
        _ path: String, _ version: RemoteFile, onto localPath: String, from offset: Int64,
        progress: @escaping FileProgress
    ) async throws(BackendError) -> FetchedPart {
        do throws(StorageFailure) {
            return try await files.fetch(
                path, version, onto: localPath, from: offset, progress: progress)
        } catch { throw error.backendError }
    }

    package func sharedLink(to path: String, lifetime: Duration) async throws(BackendError) -> URL {
        do throws(StorageFailure) { return try await files.sharedLink(to: path, lifetime: lifetime) } catch {
            throw error.backendError
        }
    }

    package func signOut() async {
        await links.close()
        await session.signOut()
    }

    private func asked<Answer>(_ call: () async throws(RestFailure) -> Answer)
        async throws(BackendError) -> Answer
    {
        do throws(RestFailure) { return try await call() } catch { throw error.backendError }
    }
}
