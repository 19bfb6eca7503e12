import Backend
import Diagnostics
import FoundationEssentials
import Models
import Secrets
import SupabaseWire

/// The account's session: gives out access tokens that work and renews them.
///
/// One refresh is in flight per account, across tasks by the shared flight and across processes by a lock
/// file. The pair on the disk is the truth: it is read again under the lock and written before it is used.
/// Whether a token is due is judged at each use by the wall clock, corrected by the server's.
actor SupabaseSession {
    private enum State {
        case unread
        case active(StoredSession)
        case ended
    }

    private let auth: AuthClient
    /// Whose session it has to be: another's must never send what this person wrote.
    private let userID: UUID
    private let secrets: any SecretStore
    private let clock: BackendClock
    private let log: Log
    private var state = State.unread
    /// The session in memory could not be written; it is newer than the one on the disk.
    private var isUnsaved = false
    private var flight: Task<Result<StoredSession, BackendError>, Never>?
    /// Waits for the next try to write what could not be written.
    private var rescue: Task<Void, Never>?
    private var renewedAt: Duration?
    private var savedTryAt = Duration.zero
    private var refreshNotBefore = Duration.zero
    private var listeners: [Int: AsyncStream<String>.Continuation] = [:]
    private var nextListener = 0

    init(auth: AuthClient, of userID: UUID, secrets: any SecretStore, clock: BackendClock, log: Log) {
        self.auth = auth
        self.userID = userID
        self.secrets = secrets
        self.clock = clock
        self.log = log
    }

    /// A token to use now: renewed first when it is about to expire.
    func accessToken() async throws(BackendError) -> String {
        let session = try await current()
        await saveIfNeeded()
        guard isDue(session) else { return session.accessToken }
        do throws(BackendError) {
            return try await renew(replacing: session.accessToken)
        } catch {
            guard error.isTransient, session.secondsLeft(at: clock.wall()) > 0 else { throw error }
            return session.accessToken
        }
    }

    /// A token in place of one that the server refused.
    func token(replacing refused: String) async throws(BackendError) -> String {
        _ = try await current()
        return try await renew(replacing: refused)
    }

    /// How long until the current token should be renewed; zero when it is due.
    func timeToRenewal() -> Duration {
        guard case .active(let session) = state else { return .zero }
        let left = Duration.seconds(max(session.secondsLeft(at: clock.wall()) - session.margin, 0))
        return max(left, timeGuard)
    }

    /// Every new access token from now on.
    func renewals() -> AsyncStream<String> {
        let (stream, continuation) = AsyncStream<String>.makeStream(bufferingPolicy: .bufferingNewest(1))
        nextListener += 1
        let listener = nextListener
        continuation.onTermination = { [weak self] _ in Task { await self?.forget(listener) } }
        listeners[listener] = continuation
        return stream
    }

    /// Forgets the session here, whatever the server says to it.
    func signOut() async {
        _ = await flight?.value
        guard case .active(let session)? = try? await loaded() else { return }  // unreadable: nothing to end
        state = .ended
        isUnsaved = false
        await forgetStored()
        do throws(AuthFailure) { try await auth.logOut(session.accessToken) } catch {
            log.info("sign-out not heard by the server")
        }
    }

    // MARK: Reading

    private func current() async throws(BackendError) -> StoredSession {
        guard case .active(let session) = try await loaded() else { throw .signedOut }
        return session
    }

    /// After the end the disk is looked at again: somebody may have signed in.
    private func loaded() async throws(BackendError) -> State {
        if case .active = state { return state }
        do throws(SecretError) {
            guard let stored = try await kept() else {
                state = .ended
                return state
            }
            if case .active = state { return state }  // read by another task meanwhile
            state = .active(stored)
        } catch {
            log.warning("session not readable", ["error": .code(error.word)])
            throw error.endsSession ? .signedOut : .offline(.sessionUnreadable)
        }
        return state
    }

    static let secretName = SecretName(rawValue: "session")
    /// Between two tries to write what could not be written.
    private static let savePause = Duration.seconds(2)

    /// The session on the disk, if it is this person's.
    private func kept() async throws(SecretError) -> StoredSession? {
        guard let stored = try await Self.read(secrets) else { return nil }
        guard stored.userID == userID else {
            log.error("session of somebody else")
            return nil
        }
        return stored
    }

    private static func read(_ secrets: any SecretStore) async throws(SecretError) -> StoredSession? {
        guard let text = try await secrets.value(for: secretName) else { return nil }
        do throws(WireError) {
            return try WireCoding.decode(StoredSession.self, from: text)
        } catch { throw .damaged(setAside: nil) }
    }

    static func write(_ session: StoredSession, to secrets: any SecretStore) async throws(SecretError) {
        let text: String
        do throws(WireError) { text = try WireCoding.text(session) } catch { throw .failed(code: 0) }
        try await secrets.set(text, for: secretName)
    }

    // MARK: Renewing

    /// For reasons of time alone a token is renewed at most once in 30 s: a wrong clock must not make a loop.
    private var timeGuard: Duration {
        guard let renewedAt else { return .zero }
        return max(renewedAt + .seconds(30) - clock.uptime(), .zero)
    }

    private func isDue(_ session: StoredSession) -> Bool {
        session.secondsLeft(at: clock.wall()) <= session.margin && timeGuard == .zero
    }

    private func renew(replacing old: String) async throws(BackendError) -> String {
        if case .active(let session) = state, session.accessToken != old { return session.accessToken }
        let wait = refreshNotBefore - clock.uptime()
        guard wait <= .zero else { throw .busy(retryAfter: wait) }
        // Shared by all who wait for it, so no one's cancellation may end it: held here, one call long.
        let task = flight ?? Task { await self.fly(replacing: old) }
        flight = task
        return try await task.value.get().accessToken
    }

    private func fly(replacing old: String) async -> Result<StoredSession, BackendError> {
        defer { flight = nil }
        var lock: SecretLock?
        do throws(SecretError) {
            lock = try await secrets.lock(Self.secretName, patience: .seconds(6))
        } catch {
            // A folder that cannot be written has no lock to give, and nobody else can write a new pair
            // there.
            log.warning("session lock", ["error": .code(error.word)])
            if error == .busy { return .failure(.timedOut) }
        }
        defer { lock?.release() }
        do throws(BackendError) {
            return .success(try await refreshed(replacing: old))
        } catch { return .failure(error) }
    }

    private func refreshed(replacing old: String) async throws(BackendError) -> StoredSession {
        let session = try await newest()
        if session.accessToken != old, session.secondsLeft(at: clock.wall()) > session.margin {
            adopt(session)  // renewed by another process while we waited
            return session
        }
        do throws(AuthFailure) {
            let fresh = try await auth.refresh(session.refreshToken)
            guard fresh.userID == userID else {
                log.error("renewed as somebody else")
                throw .refused(status: 403, code: "session_not_found")
            }
            await save(fresh)
            adopt(fresh)
            log.info("session renewed", ["offset": .count(Int(fresh.clockOffset))])
            return fresh
        } catch {
            throw await failed(error)
        }
    }

    /// The pair to spend: the one on the disk, unless ours is newer.
    private func newest() async throws(BackendError) -> StoredSession {
        guard !isUnsaved else { return try await current() }
        do throws(SecretError) {
            if let stored = try await kept() { return stored }
        } catch {
            log.warning("session not readable", ["error": .code(error.word)])
            return try await current()
        }
        state = .ended
        throw .signedOut
    }

    private func adopt(_ session: StoredSession) {
        state = .active(session)
        renewedAt = clock.uptime()
        refreshNotBefore = .zero
        for listener in listeners.values { listener.yield(session.accessToken) }
    }

    private func failed(_ failure: AuthFailure) async -> BackendError {
        if failure.endsSession {
            log.warning("session ended by the server")
            state = .ended
            isUnsaved = false
            await forgetStored()
            return .signedOut
        }
        let error = failure.backendError
        if case .busy(let wait) = error {
            refreshNotBefore = clock.uptime() + min(wait ?? .seconds(5), .seconds(300))
        }
        return error
    }

    // MARK: Keeping

    /// A pair that cannot be written still works: it is kept in memory and written as soon as that is
    /// possible.
    private func save(_ session: StoredSession) async {
        savedTryAt = clock.uptime()
        do throws(SecretError) {
            try await Self.write(session, to: secrets)
            isUnsaved = false
        } catch {
            isUnsaved = true
            log.error("session not saved", ["error": .code(error.word)])
            saveLater()
        }
    }

    private func saveIfNeeded() async {
        guard isUnsaved, flight == nil, clock.uptime() - savedTryAt >= Self.savePause else { return }
        guard case .active(let session) = state else { return }
        await save(session)
    }

    /// A refresh token is spent by its use, so the new one must not wait for the next use of the session.
    private func saveLater() {
        guard rescue == nil else { return }
        rescue = Task { [weak self, clock] in
            do { try await clock.sleep(Self.savePause) } catch { return }
            await self?.saveAgain()
        }
    }

    private func saveAgain() async {
        rescue = nil
        await saveIfNeeded()
        if isUnsaved { saveLater() }  // a renewal under way, which brings a newer one
    }

    private func forgetStored() async {
        do throws(SecretError) {
            try await secrets.set(nil, for: Self.secretName)
        } catch {
            log.error("session not removed", ["error": .code(error.word)])
        }
    }

    private func forget(_ listener: Int) { listeners[listener] = nil }
}
