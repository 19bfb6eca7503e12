import FoundationEssentials
import Models
import ViewModels

/// Where the lower edge of the thread goes when the view moves.
extension ThreadLayout {
    /// Where the lower edge is after moving the view: up is older.
    func scrolled(up rows: Int, _ cache: inout LineCache) -> ThreadScroll {
        guard !messages.isEmpty, height > 0 else { return state.scroll }
        var (index, below) = edge(&cache)
        below += rows
        while below < 0, index < messages.count - 1 {
            index += 1
            below += rowCount(at: index, &cache)
        }
        guard below > 0 || index < messages.count - 1 else { return end }
        below = max(below, 0)
        while index > 0 {
            let count = rowCount(at: index, &cache)
            guard below >= count else { break }
            below -= count
            index -= 1
        }
        if rows > 0 { (index, below) = clamped(index, below, &cache) }
        return .at(messages[index].id, rowsBelow: below)
    }

    private var end: ThreadScroll {
        guard state.window.hasNewer, let last = messages.last else { return .newest }
        return .at(last.id, rowsBelow: 0)
    }

    /// The view never goes above the first row: a full screen stays full.
    private func clamped(_ index: Int, _ below: Int, _ cache: inout LineCache) -> (Int, Int) {
        var above = -below
        var place = index
        while place >= 0, above < height {
            above += rowCount(at: place, &cache)
            place -= 1
        }
        guard above < height else { return (index, below) }
        var missing = height - above
        var (index, below) = (index, below)
        while missing > 0 {
            if below >= missing { return (index, below - missing) }
            missing -= below
            guard index < messages.count - 1 else { return (index, 0) }
            index += 1
            below = rowCount(at: index, &cache)
        }
        return (index, below)
    }

    /// Where the lower edge has to be for a message to be seen; unchanged when it is.
    func revealing(_ id: UUID, _ cache: inout LineCache) -> ThreadScroll {
        guard let index = state.window.index(of: id), height > 0 else { return state.scroll }
        let (edgeIndex, below) = edge(&cache)
        if index > edgeIndex || (index == edgeIndex && below > 0) {
            return index == messages.count - 1 ? end : .at(id, rowsBelow: 0)
        }
        var count = -below
        for place in stride(from: edgeIndex, through: index, by: -1) {
            count += rowCount(at: place, &cache)
            if count > height, place > index { return topping(index, &cache) }
        }
        return count <= height ? state.scroll : topping(index, &cache)
    }

    /// The lower edge that puts a message's first row at the top of the screen.
    private func topping(_ index: Int, _ cache: inout LineCache) -> ThreadScroll {
        var count = 0
        var place = index
        while place < messages.count {
            count += rowCount(at: place, &cache)
            if count >= height { return .at(messages[place].id, rowsBelow: count - height) }
            place += 1
        }
        return end
    }
}
