import FoundationEssentials
import Models
import Terminal
import ViewModels

/// The last result of some work, kept while what it depends on stays equal.
///
/// Comparing is cheap where nothing changed: equal arrays and texts are the same storage then.
struct Memo<Key: Equatable, Value> {
    private var last: (key: Key, value: Value)?

    mutating func value(for key: Key, _ work: () -> Value) -> Value {
        if let last, last.key == key { return last.value }
        let value = work()
        last = (key, value)
        return value
    }
}

/// All that the rows of the list depend on.
struct ListKey: Equatable {
    var state: ConversationListState
    var top: Int
    var size: Size
    var open: ConversationRef?
    var isFocused: Bool
    var present: Set<UUID>
    var today: Int
    var glyphs: Glyphs
}

/// All that the rows of the thread depend on.
struct ThreadKey: Equatable {
    var state: ThreadState
    var size: Size
    var today: Int
    var glyphs: Glyphs
}
