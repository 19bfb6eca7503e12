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
