import Commands
import Diagnostics
import FoundationEssentials
import Models
import NcursesTerminal
import Observation
import Programs
import Screens
import Terminal
import ViewModels

/// Joins the terminal to the model: keys in, frames out, and what the model asks the program to do.
@MainActor
final class RunLoop {
    private let session: TerminalSession
    private let accounts: OpenAccounts
    private let model: AppModel
    private let screen: Screen
    /// `nil`: no picture is drawn.
    private var gallery: PictureGallery?
    private let runner: ProgramRunner
    private let environment: [String: String]
    private let log: Log
    /// Finished when the program has to end.
    private let ends: AsyncStream<Never>
    private let endSink: AsyncStream<Never>.Continuation
    private var resuming: Task<Void, Never>?
    private var days: Task<Void, Never>?
    private var lastInput = ContinuousClock.now
    private var isHandlingInput = false
    /// How long after a key a change counts as its answer.
    private static let answerTime = Duration.milliseconds(50)

    init(_ session: TerminalSession, accounts: OpenAccounts, surroundings: Surroundings, keys: Keymap) {
        self.session = session
        self.accounts = accounts
        (ends, endSink) = AsyncStream.makeStream(of: Never.self)
        environment = surroundings.environment
        log = surroundings.log.named("screen")
        runner = ProgramRunner(environment: surroundings.environment, log: surroundings.log)
        model = AppModel(door: accounts)
        let clock = ClockFormat { LocalClock.system.offset(at: $0.microseconds) }
        screen = Screen(
            style: ScreenStyle(clock: clock, glyphs: session.isASCII ? .ascii : .unicode), keys: keys)
        if let notice = session.notice { model.show(Notice(notice.string)) }
        model.onThreadPage = { [weak self] in self?.session.invalidate(.input) }
    }

    /// Shows words about something that is not as it should be.
    func tell(_ lines: [String]) {
        if let first = lines.first {
            let more = lines.count > 1 ? "The shell's window has \(lines.count - 1) more." : nil
            model.show(Notice(first, next: more, tone: .bad))
        }
        for _ in lines { log.warning("setting not understood") }
    }

    /// Draws pictures from now on, as far as the rules say and the helper can.
    func draw(_ pictures: ThreadPictures, by helper: PictureHelper) {
        if let obstacle = PictureObstacle(pictures, helper, isASCII: session.isASCII) {
            model.draw(ThreadPictures(.off), obstacle: obstacle.userCopy)
            return
        }
        let drawing = PictureDrawing(helper: helper) { [accounts] in await accounts.pictures(of: $0) }
        gallery = PictureGallery { await drawing.entry(for: $0) }
        model.draw(pictures)
    }

    /// Runs until the user quits, a signal ends it, or the terminal is gone.
    /// - Parameter open: Opens the accounts; the screen is shown meanwhile.
    func run(opening open: @escaping @Sendable (OpenAccounts) async -> [OpenAccounts.Outcome]) async
        -> ExitCode
    {
        session.start(
            compose: { [weak self] size in self?.compose(size) ?? Frame(size: size) },
            receive: { [weak self] event in self?.receive(event) })
        let tasks = [
            Task { [weak self, accounts] in
                let outcomes = await open(accounts)
                self?.take(outcomes)
            },
            Task { [weak self] in await self?.followMachine() },
            Task { [weak self, model] in
                for await intent in model.intents { await self?.perform(intent) }
            },
        ]
        followTheDays()
        for await _ in ends {}
        for task in tasks { task.cancel() }
        days?.cancel()
        session.leave()
        await gallery?.close()
        await model.shutDown()
        await accounts.close()
        return .done
    }

    private func take(_ outcomes: [OpenAccounts.Outcome]) {
        var trouble: UserCopy?
        for outcome in outcomes {
            switch outcome {
            case .opened(let account): model.add(account)
            case .demo(let account):
                model.add(account)
                model.openFirst(of: account.id)
            case .trouble(let words):
                trouble = words
                model.show(Notice(words))
            }
        }
        if model.accounts.isEmpty {
            model.dropNotice()
            model.showFirstRun(because: trouble)
        }
    }

    // MARK: Frames

    private func compose(_ size: Size) -> Frame {
        let frame = withObservationTracking {
            screen.album = gallery?.album
            return screen.frame(of: model, size: size, now: Date())
        } onChange: { [weak self] in
            MainActor.assumeIsolated { self?.changed() }
        }
        gallery?.want(screen.wishes)
        session.setTitle(screen.title)
        return frame
    }

    /// What changes right behind a key is most likely its answer, such as the page of a thread just opened: it is
    /// shown at once, not at the pace of news.
    private func changed() {
        if isHandlingInput { return }  // its frame comes in any case
        let isAnswer = ContinuousClock.now - lastInput < Self.answerTime
        session.invalidate(isAnswer ? .input : .news)
    }

    /// `Today` becomes `Yesterday` without a key pressed.
    private func followTheDays() {
        days?.cancel()
        let time = Timekeeper(
            now: { Date() }, sleep: { try await Task.sleep(for: $0, tolerance: .seconds(1)) })
        days = Task { [session, screen] in
            await screen.style.clock.followDays(time) { session.invalidate(.news) }
        }
    }

    /// Another network or a sleep may have ended the links without a sign, and a countdown to the next try is
    /// over: it was for the network as it was.
    private func followMachine() async {
        for await change in MachineWatch.changes() {
            log.info("machine changed", ["what": .code(change == .clock ? "clock" : "network")])
            if change == .clock {
                LocalClock.system.reload()
                followTheDays()
                session.invalidate(.news)
            }
            await accounts.wakeUp()
        }
    }

    // MARK: What the terminal tells

    private func receive(_ event: TerminalEvent) {
        switch event {
        case .input(let events):
            lastInput = ContinuousClock.now
            isHandlingInput = true
            for event in events { screen.handle(event, model: model) }
            isHandlingInput = false
            session.invalidate(model.thread?.isOpening == true ? .opening : .input)
        case .resized: break  // a frame of the new size is drawn by itself
        case .resumed: resuming = Task { [accounts] in await accounts.wakeUp() }
        case .endRequested, .gone: endSink.finish()
        }
    }

    // MARK: What the model asks for

    private func perform(_ intent: AppIntent) async {
        switch intent {
        case .quit: endSink.finish()
        case .redraw: session.redraw()
        case .suspend:
            if !session.suspend() { model.show(Notice("There is no shell to go back to.")) }
        case .editInEditor(let text): await edit(text)
        case .copy(let text):
            if !session.copy(text) { model.show(Notice("Too long for the clipboard.", tone: .bad)) }
        case .alert: session.ring()
        case .mend(let id): take(mended: await accounts.mend(id), id)
        case .signOut(let id):
            model.remove(id)
            await accounts.signOut(id)
        }
    }

    private func take(mended outcomes: [OpenAccounts.Outcome], _ id: AccountID) {
        var isOpen = false
        for outcome in outcomes {
            switch outcome {
            case .opened(let account), .demo(let account):
                isOpen = true
                model.replace(account)
            case .trouble(let words): model.show(Notice(words))
            }
        }
        if !isOpen, !outcomes.isEmpty { model.remove(id) }
    }

    private func edit(_ text: String) async {
        let editor = ExternalEditor(environment: environment, runner: runner)
        let edited: Result<String, EditorError> = await session.withTerminalReleased {
            do throws(EditorError) { return .success(try await editor.edit(text)) } catch {
                return .failure(error)
            }
        }
        switch edited {
        case .success(let text): model.takeEdited(text)
        case .failure(let error): model.show(Notice(error.userCopy))
        }
    }
}
