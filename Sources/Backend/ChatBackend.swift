import FoundationEssentials
import Models

/// All the engine may ask of a service. One instance is one signed-in account.
///
/// A backend makes single attempts and keeps no queue: when to try, what to send again and what to show is the
/// engine's. Calls may run side by side. Ids are plain UUIDs; positions and cursors are the backend's own numbers.
package protocol ChatBackend: Sendable {
    /// The signed-in person's id.
    var userID: UUID { get }
    var capabilities: Capabilities { get }

    // MARK: The link

    /// Makes one attempt to open the live link.
    ///
    /// - Returns: The link's events, in order. The first `.live` says that the change feed is attached: only what
    ///   is committed after it is promised to arrive, so the engine catches up then. The stream ends with
    ///   `.ended`; dropping it closes the link and leaves every channel.
    /// - Throws: Why the attempt failed, at most 15 s after it began.
    func connect() async throws(BackendError) -> AsyncStream<BackendEvent>

    /// Asks the service for a sign of life over the link, which may have died without one: the machine slept, or is
    /// in another network. A link that gives none ends within a few seconds. Nothing happens without a link.
    func checkLink() async

    /// Holds the conversation's channel for typing and presence. Every call is balanced by `leaveChannel`; the
    /// channel is left when nobody holds it. After a reconnect the backend joins the held channels by itself.
    func joinChannel(of conversationID: UUID) async
    func leaveChannel(of conversationID: UUID) async

    /// Tells the others of a held channel that this person types, or stopped. Not promised to arrive.
    func setTyping(_ isTyping: Bool, in conversationID: UUID) async

    // MARK: Reading

    /// Loads the signed-in person's own profile.
    func ownProfile() async throws(BackendError) -> Person

    /// Loads conversations, newest activity first.
    /// - Parameter anchor: The last head of the page before; `nil` starts from the newest.
    /// - Returns: At most 200. Empty means the end was reached; a short page does not.
    func conversations(before anchor: ConversationHead?) async throws(BackendError) -> [ConversationHead]

    /// Loads messages older than `anchor`, with their reactions.
    ///
    /// - Parameters:
    ///   - anchor: The oldest message already held; `nil` starts from the newest.
    ///   - limit: Most messages to return, 1...200.
    /// - Returns: Newest first. Empty means the beginning was reached, not that loading failed.
    /// - Throws: `.notAllowed` when this account is not in the conversation: then nothing is known of its beginning.
    func history(of conversationID: UUID, before anchor: MessageAnchor?, limit: Int)
        async throws(BackendError) -> [MessageChange]

    /// Loads one message.
    /// - Throws: `.notFound` also for what this account may not see; `.unsupported` where nothing else is known.
    func message(_ id: UUID, in conversationID: UUID) async throws(BackendError) -> MessageChange

    /// Loads what was written or changed after `cursor`, messages and reactions, oldest change first.
    ///
    /// - Parameter page: `nil` for the first page, then the `next` of the page before.
    /// - Returns: At most 500 messages. `next` is `nil` when everything up to now was read.
    /// - Throws: `.notAllowed` when this account is not in the conversation: then nothing is known of its end.
    func changes(in conversationID: UUID, after cursor: SyncCursor, page: ChangePageToken?)
        async throws(BackendError) -> ChangePage

    /// Loads everybody who is or was in the conversation, with their marks.
    func members(of conversationID: UUID) async throws(BackendError) -> [Member]

    /// Finds people by the beginning of their user name or a part of their display name (2 characters or more).
    func people(matching query: String) async throws(BackendError) -> [Person]

    // MARK: Writing

    /// Performs one operation of the outbox. Repeating an operation that was done already is `.stored`.
    func perform(_ operation: OutgoingOperation) async -> OperationOutcome

    /// Starts a conversation. The same `id`, or the same pair of people, gives the one that exists.
    func createConversation(id: UUID, with people: [UUID], title: String?, isGroup: Bool)
        async throws(BackendError) -> UUID
    func addMembers(_ people: [UUID], to conversationID: UUID) async throws(BackendError)
    func leaveConversation(_ conversationID: UUID) async throws(BackendError)

    // MARK: Files

    /// Brings the file of a message to the service; the message itself is sent after it.
    ///
    /// An upload that was done already, its answer lost, is `.stored` with the same path: there is never a second
    /// copy for one message. Cancelling the task ends the transfer with `.wait`.
    func upload(_ file: FileUpload, progress: @escaping FileProgress) async -> UploadOutcome

    /// Asks what the service has under an attachment's path.
    /// - Throws: `.notFound` also for what this account may not see.
    func remoteFile(at path: String) async throws(BackendError) -> RemoteFile

    /// Fetches an attachment onto the end of a local file, which exists already.
    ///
    /// - Parameters:
    ///   - offset: Bytes the local file has of this version.
    ///   - progress: Told the bytes of this call, without `offset`.
    /// - Throws: `.localFile` when the file does not take the bytes. What came before a failure is in the file.
    func fetch(
        _ path: String, _ version: RemoteFile, onto localPath: String, from offset: Int64,
        progress: @escaping FileProgress
    ) async throws(BackendError) -> FetchedPart

    /// An address under which anybody can get the attachment for a while, without signing in.
    /// - Parameter lifetime: At least a second; whole seconds count.
    func sharedLink(to path: String, lifetime: Duration) async throws(BackendError) -> URL

    /// Ends the session here and, when it can be reached, at the service. Local secrets are gone either way.
    func signOut() async
}

extension ChatBackend {
    /// For a service that gives messages in pages only.
    package func message(_ id: UUID, in conversationID: UUID) async throws(BackendError) -> MessageChange {
        throw .unsupported
    }
}

/// What a service can do; the engine asks this and never which service it is.
package struct Capabilities: Sendable, Hashable {
    /// A repeated send with the same id stores nothing new.
    package var repeatsAreHarmless: Bool
    /// A message is known there by the id that it has here. Else the outcome of its send names the other one.
    package var keepsOurIDs: Bool
    package var canEdit: Bool
    package var canDelete: Bool
    package var canReact: Bool
    package var canStartConversations: Bool
    package var showsTyping: Bool
    /// Most characters of a message.
    package var bodyLimit: Int
    /// Most bytes of a file; `nil`: it takes no files.
    package var fileLimit: Int64?

    package init(
        repeatsAreHarmless: Bool, keepsOurIDs: Bool = true, canEdit: Bool, canDelete: Bool, canReact: Bool,
        canStartConversations: Bool,
        showsTyping: Bool, bodyLimit: Int, fileLimit: Int64? = nil
    ) {
        self.repeatsAreHarmless = repeatsAreHarmless
        self.keepsOurIDs = keepsOurIDs
        self.canEdit = canEdit
        self.canDelete = canDelete
        self.canReact = canReact
        self.canStartConversations = canStartConversations
        self.showsTyping = showsTyping
        self.bodyLimit = bodyLimit
        self.fileLimit = fileLimit
    }
}
