import FoundationEssentials
import Terminal
import ViewModels

extension Screen {
    // MARK: Keys

    /// Gives a key to what lies on top of the panes.
    func press(_ key: Key, in place: Place, _ model: AppModel) {
        switch place {
        case .page(let page, let scrolled):
            if let action = action(of: key, .help) { press(action, in: page, scrolled, model) }
        case .confirm(let confirm): press(key, in: confirm, model)
        case .commandLine(let line): press(key, in: line, model)
        case .switcher(let switcher): press(key, in: switcher, model)
        case .people(let people): press(key, in: people, model)
        case .reaction(let reaction): press(key, in: reaction, model)
        case .signIn(let form): press(key, in: form, model)
        case .firstRun(let page): press(key, in: page, model)
        case .outbox(let page): if let action = action(of: key, .outbox) { model.perform(action, in: page) }
        }
    }

    func action(of key: Key, _ context: KeyContext) -> Action? {
        if case .action(let action) = keys[context].meaning(of: [key]) { action } else { nil }
    }

    private func press(_ action: Action, in page: Page, _ scrolled: Int, _ model: AppModel) {
        let most = max(lines(of: page, model, width: pageWidth(page)).lines.count - pageRows, 0)
        let target: Int
        switch action {
        case .down: target = scrolled + 1
        case .up: target = scrolled - 1
        case .halfPageDown: target = scrolled + pageRows
        case .halfPageUp: target = scrolled - pageRows
        case .first: target = 0
        case .last: target = most
        default:
            model.pop()
            return
        }
        model.scrollPage(to: min(max(target, 0), most))
    }

    // MARK: Drawing

    /// Draws what lies on top of the panes; what lies below it waits unseen.
    func drawPlaces(_ model: AppModel, _ layout: PaneLayout, into frame: inout Frame) {
        switch model.places.last {
        case .page(let page, let scrolled): drawPage(page, scrolled, model, into: &frame)
        case .confirm(let confirm): drawConfirm(confirm.state, into: &frame)
        case .commandLine(let line): drawCommandLine(line.state, layout, into: &frame)
        case .switcher(let switcher): drawSwitcher(switcher.state, into: &frame)
        case .people(let people): drawPeople(people.state, into: &frame)
        case .reaction(let reaction): drawReaction(reaction.state, into: &frame)
        case .signIn(let form): drawSignIn(form.state, into: &frame)
        case .firstRun(let page): drawFirstRun(page.state, into: &frame)
        case .outbox(let page): drawOutbox(page.state, model, into: &frame)
        case nil: break
        }
    }
}
