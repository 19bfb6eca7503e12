import FoundationEssentials
import Models
import Observation

/// The fields of the sign-in form, in their order.
package enum SignInField: String, Hashable, Sendable, CaseIterable {
    case address, key
    /// Signing in, or making an account.
    case kind
    case email, username, displayName, password
}

/// Signs in to a server or makes an account there.
@MainActor @Observable
package final class SignInViewModel {
    package struct State: Equatable, Sendable {
        package var texts: [SignInField: TextBuffer] = [:]
        package var isNew = false
        /// Whether the server asked for its key, or may need it.
        package var needsKey = false
        package var field = SignInField.address
        package var isBusy = false
        package var trouble: UserCopy?

        package init() {}

        /// The fields that count now.
        package var fields: [SignInField] {
            SignInField.allCases.filter { field in
                switch field {
                case .address, .kind, .email, .password: true
                case .key: needsKey
                case .username, .displayName: isNew
                }
            }
        }

        package func text(_ field: SignInField) -> String { texts[field]?.text ?? "" }
        var isAtLastField: Bool { field == fields.last }
    }

    package private(set) var state = State()
    @ObservationIgnored private let door: any AccountDoor
    @ObservationIgnored private var asking: Task<Void, Never>?
    @ObservationIgnored private var work: Task<Void, Never>?
    @ObservationIgnored private let onDone: @MainActor (Account) -> Void

    /// - Parameters:
    ///   - address: The server to begin with, as in the settings; empty for none.
    ///   - email: Who signs in there; empty when that is to be typed.
    package init(
        door: any AccountDoor, address: String = "", email: String = "",
        onDone: @escaping @MainActor (Account) -> Void
    ) {
        self.door = door
        self.onDone = onDone
        if !address.isEmpty {
            state.texts[.address] = TextBuffer(address)
            leaveAddress()
            state.field = .kind
            guard !email.isEmpty else { return }
            state.texts[.email] = TextBuffer(email)
            state.field = .password
        } else {
            asking = Task { [weak self, door] in
                if let address = await door.nearbyServer(), !Task.isCancelled { self?.suggest(address) }
            }
        }
    }

    /// Whoever has begun to type knows better.
    private func suggest(_ address: String) {
        guard state.texts[.address] == nil, state.field == .address else { return }
        state.texts[.address] = TextBuffer(address)
    }

    /// Ends what runs; called when the form is put away.
    package func stop() {
        asking?.cancel()
        work?.cancel()
    }

    package func edit(_ edit: (inout TextBuffer) -> Void) {
        guard !state.isBusy else { return }
        state.trouble = nil
        guard state.field != .kind else { return }
        edit(&state.texts[state.field, default: TextBuffer()])
    }

    /// Chooses between signing in and making an account.
    package func toggleKind() {
        guard !state.isBusy, state.field == .kind else { return }
        state.isNew.toggle()
        state.trouble = nil
    }

    package func moveField(by step: Int) {
        guard !state.isBusy else { return }
        if state.field == .address { leaveAddress() }
        let fields = state.fields
        let place = fields.firstIndex(of: state.field) ?? 0
        state.field = fields[min(max(place + step, 0), fields.count - 1)]
    }

    /// A server that tells whether it needs a key spares the user a question.
    private func leaveAddress() {
        let address = state.text(.address)
        guard !address.isBlank else { return }
        asking?.cancel()
        asking = Task { [weak self, door] in
            let answer = await door.needsKey(address)
            if let answer, !Task.isCancelled { self?.take(needsKey: answer) }
        }
    }

    private func take(needsKey: Bool) {
        guard state.needsKey != needsKey else { return }
        state.needsKey = needsKey
        if !needsKey, state.field == .key { state.field = .kind }
    }

    /// Enter: goes on to the next field, and from the last one signs in.
    package func accept() {
        guard !state.isBusy else { return }
        guard state.isAtLastField else {
            moveField(by: 1)
            return
        }
        if let missing = firstMissing {
            state.field = missing
            state.trouble = Self.wordsForMissing(missing)
            return
        }
        submit()
    }

    private var firstMissing: SignInField? {
        state.fields.first { $0 != .kind && $0 != .displayName && state.text($0).isBlank }
    }

    private static func wordsForMissing(_ field: SignInField) -> UserCopy {
        switch field {
        case .address: UserCopy("The server's address is missing.", next: "Write it like team.example.")
        case .key: SignInError.keyNeeded.userCopy
        case .email: UserCopy("Your e-mail address is missing.", next: "Type it.")
        case .username: UserCopy("A user name is missing.", next: "Choose one; others find you by it.")
        case .password: UserCopy("The password is missing.", next: "Type it; it is not shown.")
        case .kind, .displayName: UserCopy("Something is missing.", next: "Fill in the field.")
        }
    }

    private func submit() {
        state.isBusy = true
        state.trouble = nil
        let username = state.text(.username)
        let name = state.text(.displayName)
        let request = SignInRequest(
            address: state.text(.address).trimmedAtEnd, key: state.needsKey ? state.text(.key) : nil,
            isNew: state.isNew, email: state.text(.email).trimmedAtEnd, password: state.text(.password),
            username: state.isNew ? username.trimmedAtEnd : "",
            displayName: state.isNew ? (name.isBlank ? username : name).trimmedAtEnd : "")
        work = Task { [weak self, door] in
            do throws(SignInError) {
                let account = try await door.signIn(request)
                self?.finish(account)
            } catch {
                self?.fail(error)
            }
        }
    }

    private func finish(_ account: Account) {
        state = State()  // no password stays in memory
        onDone(account)
    }

    private func fail(_ error: SignInError) {
        state.isBusy = false
        state.trouble = error.userCopy
        switch error {
        case .badServerAddress, .otherAddress, .insecureServer, .notAPinglineServer: state.field = .address
        case .keyNeeded, .keyRefused, .secretKey:
            state.needsKey = true
            state.field = .key
        case .badAddress, .addressTaken: state.field = .email
        case .badName, .nameTaken: state.field = .username
        case .wrongPassword, .weakPassword, .passwordTooLong:
            state.field = .password
            state.texts[.password] = TextBuffer()
        case .addressNotConfirmed, .signUpClosed: state.isNew = false
        case .unreachable, .tablesMissing, .projectPaused, .banned, .rateLimited, .notKept, .refused: break
        }
    }
}
