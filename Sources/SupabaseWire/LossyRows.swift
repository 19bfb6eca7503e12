/// The rows of an answer that can be read; one bad row never hides its neighbours.
package struct LossyRows<Row: Decodable & Sendable>: Decodable, Sendable {
    /// What could be read, in the order of the answer.
    package var rows: [Row] = []
    /// Why each other row could not, with its index in the answer; for the log.
    package var failures: [(index: Int, error: WireError)] = []
    /// How many rows the answer had, good and bad: an answer of only bad rows is not the empty page.
    package var count: Int { rows.count + failures.count }

    package init(from decoder: any Decoder) throws {
        var items = try decoder.unkeyedContainer()
        while !items.isAtEnd {
            let index = items.currentIndex
            switch try items.decode(Attempt<Row>.self).result {
            case .success(let row): rows.append(row)
            case .failure(let error): failures.append((index, error))
            }
        }
    }
}

/// Decodes to a failure where another type would throw, so that the container moves on to the next element.
private struct Attempt<Row: Decodable & Sendable>: Decodable {
    let result: Result<Row, WireError>

    init(from decoder: any Decoder) throws {
        do { result = .success(try Row(from: decoder)) } catch { result = .failure(WireError(error)) }
    }
}
