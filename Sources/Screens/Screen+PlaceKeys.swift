import FoundationEssentials
import Terminal
import ViewModels

/// What keys do in each kind of popup.
extension Screen {
    func press(_ key: Key, in confirm: ConfirmViewModel, _ model: AppModel) {
        switch action(of: key, .confirm) {
        case .accept: confirm.answer()
        case .down: confirm.move(by: 1)
        case .up: confirm.move(by: -1)
        case .cancel: model.pop()
        default: if let typed = key.typed, confirm.select(startingWith: typed) { confirm.answer() }
        }
    }

    func press(_ key: Key, in line: CommandLineViewModel, _ model: AppModel) {
        switch action(of: key, .commandLine) {
        case .accept:
            line.whenCompleted { [self] in
                if let action = model.acceptCommandLine(line) { perform(action, count: 1, nil, model) }
            }
        case .cancel: model.pop()
        case .nextField: line.complete()
        case .previousField: line.complete(by: -1)
        default: editCommandLine(key, line, model)
        }
    }

    private func editCommandLine(_ key: Key, _ line: CommandLineViewModel, _ model: AppModel) {
        if line.state.text.isEmpty, key == .backspace {
            model.pop()
        } else if line.state.text.isEmpty, let typed = key.typed, !typed.isLetter,
            model.typeInsteadOfCommand(line.state.prompt, then: typed)
        {
            return
        } else if key.typed == "/", line.acceptSlash() {
            return
        } else {
            edit(key) { line.edit($0) }
        }
    }

    /// Edits a one-line text with a key, if the key does that.
    func edit(_ key: Key, _ apply: ((inout TextBuffer) -> Void) -> Void) {
        if let typed = key.typed {
            apply { $0.insert(String(typed)) }
        } else if case .action(.text(let command)) = keys.textField.meaning(of: [key]) {
            apply { $0.perform(command) }
        }
    }

    func pressInFilter(_ key: Key, _ model: AppModel) {
        switch action(of: key, .filter) {
        case .accept: model.list.endFilter(keeping: true)
        case .cancel: model.list.endFilter(keeping: false)
        case .down: model.list.moveSelection(by: 1)
        case .up: model.list.moveSelection(by: -1)
        default: edit(key) { model.list.editFilter($0) }
        }
    }

    func press(_ key: Key, in switcher: SwitcherViewModel, _ model: AppModel) {
        switch action(of: key, .picker) {
        case .accept:
            guard let choice = switcher.choice else { return }
            model.pop()
            model.open(choice.id)
        case .cancel: model.pop()
        case .down, .nextField: switcher.move(by: 1)
        case .up, .previousField: switcher.move(by: -1)
        default: edit(key) { switcher.edit($0) }
        }
    }

    func press(_ key: Key, in people: PeopleViewModel, _ model: AppModel) {
        switch action(of: key, .picker) {
        case .accept: people.accept()
        case .cancel: model.pop()
        case .down: people.move(by: 1)
        case .up: people.move(by: -1)
        case .nextField: people.movePart(by: 1)
        case .previousField: people.movePart(by: -1)
        default:
            if key == .backspace, people.dropLastPicked() { return }
            edit(key) { people.edit($0) }
        }
    }

    func press(_ key: Key, in reaction: ReactionViewModel, _ model: AppModel) {
        switch action(of: key, .picker) {
        case .accept: reaction.choose()
        case .cancel: model.pop()
        case .down, .nextField: reaction.move(by: 1)
        case .up, .previousField: reaction.move(by: -1)
        default:
            if key == .left { reaction.move(by: -1) }
            if key == .right { reaction.move(by: 1) }
            if let typed = key.typed { _ = reaction.choose(typed) }
        }
    }

    func press(_ key: Key, in form: SignInViewModel, _ model: AppModel) {
        switch action(of: key, .form) {
        case .accept: form.accept()
        case .cancel: model.pop()
        case .nextField: form.moveField(by: 1)
        case .previousField: form.moveField(by: -1)
        default:
            if form.state.field == .kind {
                if key == .left || key == .right || key.typed == " " { form.toggleKind() }
            } else {
                edit(key) { form.edit($0) }
            }
        }
    }

    func press(_ key: Key, in page: FirstRunViewModel, _ model: AppModel) {
        switch action(of: key, .picker) {
        case .accept: page.choose()
        case .cancel: model.leaveFirstRun()
        case .down, .nextField: page.move(by: 1)
        case .up, .previousField: page.move(by: -1)
        default:
            if key.typed == "j" { page.move(by: 1) }
            if key.typed == "k" { page.move(by: -1) }
            if key.typed == "q" { model.leaveFirstRun() }
        }
    }
}
