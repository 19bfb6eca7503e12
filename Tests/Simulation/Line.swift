import Backend
import FoundationEssentials
import Models

/// The network between one process and the server, with all that goes wrong on it.
final class Line {
    enum Condition { case up, down, silent }

    /// Of each 1 000 requests so many meet this.
    struct Trouble {
        var lostRequests = 0
        var lostAnswers = 0
        var repeats = 0
        var askedToWait = 0
        var unavailable = 0
        var intercepted = 0
        var lostNews = 0
        var repeatedNews = 0
    }

    static let patience = Duration.seconds(15)

    unowned let world: World
    let name: String
    var condition = Condition.up
    var latency: ClosedRange<Duration> = .milliseconds(5)...(.milliseconds(80))
    var trouble = Trouble()
    /// The process at this end is gone.
    private(set) var isDead = false
    private var exchanges: [Int: Exchange] = [:]
    private var lastExchange = 0
    private(set) var links: [Link] = []
    /// Messages of which this end was told that they are gone.
    var heardRemoved: Set<UUID> = []

    init(world: World, name: String) {
        self.world = world
        self.name = name
    }

    private var agenda: Agenda { world.agenda }
    private func delay() -> Duration { world.random.moment(latency) }
    private func meets(_ perMille: Int) -> Bool { perMille > 0 && world.random.happens(perMille) }

    // MARK: Requests

    /// Asks the server something and waits for the answer.
    /// - Parameter mayBeLate: Done twice, or long after another try, it does nothing more.
    func exchange<Answer: Sendable>(
        _ what: String, mayBeLate: Bool = false,
        _ work: @escaping @MainActor () -> Result<Answer, BackendError>
    ) async -> Result<Answer, BackendError> {
        guard !isDead else { return .failure(.offline(.lost)) }
        var answer: Result<Answer, BackendError>?
        lastExchange += 1
        let exchange = Exchange(number: lastExchange, what: what) { answer = work() }
        exchange.mayBeLate = mayBeLate
        let agenda = agenda
        let failure = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                guard !self.isDead, !Task.isCancelled else {
                    continuation.resume(returning: BackendError?.some(.offline(.lost)))
                    return
                }
                exchange.continuation = continuation
                exchanges[exchange.number] = exchange
                world.trace("\(name): asks for \(what)")
                send(exchange)
            }
        } onCancel: {
            agenda.plan(after: .zero) { self.cut(exchange) }
        }
        if let failure { return .failure(failure) }
        return answer ?? .failure(.offline(.lost))
    }

    private func send(_ exchange: Exchange) {
        exchange.plan = agenda.plan(after: Self.patience) { self.end(exchange, with: .timedOut) }
        switch condition {
        case .down: fail(exchange, .offline(.unreachable))
        case .silent: world.count(.silence)
        case .up where meets(trouble.lostRequests): lose(exchange)
        case .up: agenda.plan(after: delay()) { self.arrive(exchange) }
        }
    }

    /// It never arrives, or when nobody waits for it any more.
    private func lose(_ exchange: Exchange) {
        guard exchange.mayBeLate, world.random.happens(300) else { return world.count(.lostRequest) }
        world.count(.lateRequest)
        let world = world
        agenda.plan(after: Self.patience + world.random.moment(.zero...(.seconds(10)))) {
            guard !world.serverIsDown else { return }
            world.trace("\(self.name): \(exchange.what) arrives late")
            exchange.work()
        }
    }

    private func arrive(_ exchange: Exchange) {
        guard exchanges[exchange.number] != nil else { return }
        if condition != .up { return }
        if world.serverIsDown { return fail(exchange, .offline(.serverUnavailable)) }
        if meets(trouble.intercepted) {
            world.count(.intercepted)
            return fail(exchange, .offline(.intercepted))
        }
        if meets(trouble.unavailable) {
            world.count(.unavailable)
            return fail(exchange, .offline(.serverUnavailable))
        }
        if meets(trouble.askedToWait) {
            world.count(.askedToWait)
            let wait = world.random.happens(800) ? world.random.moment(.seconds(1)...(.seconds(20))) : nil
            return fail(exchange, .busy(retryAfter: wait))
        }
        exchange.work()
        exchange.isDone = true
        if meets(trouble.repeats) {
            world.count(.repeatedRequest)
            exchange.work()
        }
        guard !meets(trouble.lostAnswers) else {
            world.count(.lostAnswer)
            if world.random.happens(500) { fail(exchange, .offline(.lost)) }
            return
        }
        agenda.plan(after: delay()) { if self.condition == .up { self.end(exchange, with: nil) } }
    }

    private func fail(_ exchange: Exchange, _ error: BackendError) {
        agenda.plan(after: delay()) { self.end(exchange, with: error) }
    }

    private func end(_ exchange: Exchange, with error: BackendError?) {
        guard exchanges.removeValue(forKey: exchange.number) != nil else { return }
        agenda.cancel(exchange.plan)
        if let error { world.trace("\(name): \(exchange.what) failed: \(error)") }
        exchange.continuation?.resume(returning: error)
        exchange.continuation = nil
    }

    /// The connection breaks: the request may have come through, its answer never does.
    private func cut(_ exchange: Exchange) {
        guard exchanges[exchange.number] != nil else { return }
        if !exchange.isDone, condition == .up, !world.serverIsDown, world.random.happens(500) {
            world.count(.lostAnswer)
            exchange.work()
            exchange.isDone = true
        }
        end(exchange, with: .offline(.lost))
    }

    // MARK: Links

    func open(for user: UUID, holds: @escaping (UUID) -> Bool) -> AsyncStream<BackendEvent> {
        let (stream, continuation) = AsyncStream<BackendEvent>.makeStream()
        let link = Link(
            line: self, number: world.nextNumber(), userID: user, holds: holds, continuation: continuation)
        links.append(link)
        world.server.links[ObjectIdentifier(link)] = link
        let agenda = agenda
        continuation.onTermination = { _ in agenda.plan(after: .zero) { link.close() } }
        attach(link)
        return stream
    }

    /// The feed comes after the link, now and then much later.
    func attach(_ link: Link) {
        let isLate = world.isTroubled && world.random.happens(100)
        if isLate { world.count(.lateFeed) }
        let wait = world.random.moment(.milliseconds(1)...(isLate ? .seconds(40) : .milliseconds(300)))
        agenda.plan(after: wait) {
            guard link.isOpen else { return }
            link.isAttached = true
            link.deliver(.live)
            link.tellPresence()
        }
    }

    func forget(_ link: Link) {
        links.removeAll { $0 === link }
        world.server.links[ObjectIdentifier(link)] = nil
    }

    func newsDelay() -> Duration { delay() }
    func losesNews() -> Bool { meets(trouble.lostNews) }
    func repeatsNews() -> Bool { meets(trouble.repeatedNews) }

    // MARK: Blows

    /// Everything under way breaks off.
    func cut(because problem: LinkProblem = .lost) {
        for exchange in exchanges.values.sorted(by: { $0.number < $1.number }) { cut(exchange) }
        for link in links { link.end(because: problem) }
    }

    /// Packets vanish both ways. Requests run into their limit; the link is found dead by its heartbeat.
    func fallSilent() {
        condition = .silent
        for link in links {
            link.isAttached = false
            agenda.plan(after: world.random.moment(.seconds(10)...(.seconds(50)))) {
                link.end(because: .lost)
            }
        }
    }

    /// Links are looked at: one that is dead is found within seconds.
    func check() {
        guard condition == .silent else { return }
        for link in links { agenda.plan(after: .seconds(5)) { link.end(because: .lost) } }
    }

    func recover() {
        if condition == .silent { for link in links { link.end(because: .lost) } }
        condition = .up
    }

    /// The process is gone. What it had sent may have come through.
    func die() {
        cut()
        isDead = true
    }
}

/// One request under way.
final class Exchange {
    let number: Int
    let what: String
    let work: () -> Void
    var mayBeLate = false
    var isDone = false
    var plan: UInt64 = 0
    var continuation: CheckedContinuation<BackendError?, Never>?

    init(number: Int, what: String, work: @escaping () -> Void) {
        self.number = number
        self.what = what
        self.work = work
    }
}
