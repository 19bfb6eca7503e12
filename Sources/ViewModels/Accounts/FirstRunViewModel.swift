import Models
import Observation

/// The first page of all: the ways to begin.
@MainActor @Observable
package final class FirstRunViewModel {
    package struct State: Hashable, Sendable {
        package var choices = FirstRunChoice.allCases
        package var selected = 0
        /// Why a choice cannot be taken here; asked when it is chosen.
        package var trouble: UserCopy?
        package var isBusy = false

        package init() {}
    }

    package private(set) var state = State()
    @ObservationIgnored private let door: any AccountDoor
    @ObservationIgnored private var work: Task<Void, Never>?
    @ObservationIgnored private let onSignIn: @MainActor () -> Void
    @ObservationIgnored private let onDone: @MainActor (Account) -> Void

    /// - Parameters:
    ///   - trouble: Why there is nothing else to show; it stays until another choice is looked at.
    ///   - onSignIn: Opens the form.
    ///   - onDone: Told with the account that was opened.
    package init(
        door: any AccountDoor, trouble: UserCopy? = nil, onSignIn: @escaping @MainActor () -> Void,
        onDone: @escaping @MainActor (Account) -> Void
    ) {
        self.door = door
        self.onSignIn = onSignIn
        self.onDone = onDone
        state.trouble = trouble
    }

    package func stop() { work?.cancel() }

    package func move(by steps: Int) {
        state.selected = min(max(state.selected + steps, 0), state.choices.count - 1)
        state.trouble = nil
    }

    package func choose() {
        let choice = state.choices[state.selected]
        guard !state.isBusy else { return }
        if let obstacle = door.obstacle(to: choice) {
            state.trouble = obstacle
            return
        }
        switch choice {
        case .signIn: onSignIn()
        case .tryItHere: tryItHere()
        case .telegram:
            state.trouble = UserCopy(
                "Telegram accounts are set up from the shell.", next: "Use the login command there.")
        }
    }

    private func tryItHere() {
        state.isBusy = true
        work = Task { [weak self, door] in
            do throws(SignInError) {
                let account = try await door.tryItHere()
                self?.onDone(account)
            } catch {
                self?.fail(error)
            }
        }
    }

    private func fail(_ error: SignInError) {
        state.isBusy = false
        state.trouble = error.userCopy
    }
}
