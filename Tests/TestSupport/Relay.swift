/// A stream of news for fakes: any number of readers, the last value first for a new one.
@MainActor
package final class Relay<Value: Sendable> {
    private var readers: [Int: AsyncStream<Value>.Continuation] = [:]
    private var count = 0
    private let replays: Bool
    package private(set) var last: Value?

    package init(replays: Bool = true) { self.replays = replays }

    package func send(_ value: Value) {
        last = value
        for reader in readers.values { reader.yield(value) }
    }

    package func stream() -> AsyncStream<Value> {
        let (stream, reader) = AsyncStream.makeStream(of: Value.self)
        count += 1
        let number = count
        reader.onTermination = { [weak self] _ in Task { await self?.drop(number) } }
        readers[number] = reader
        if replays, let last { reader.yield(last) }
        return stream
    }

    package var readerCount: Int { readers.count }

    private func drop(_ number: Int) { readers[number] = nil }
}
