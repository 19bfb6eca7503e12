import FoundationEssentials

/// The rows of an answer that can be read; one bad row never hides its neighbours.
package struct LossyRows<Row: WireObject>: WireReadable {
    /// A row that cannot be read; for the log.
    package struct Failure: Sendable, Equatable {
        /// Its place in the answer.
        package var index: Int
        /// Its `id`, where that can be read.
        package var id: UUID?
        package var error: WireError
    }

    /// What could be read, in the order of the answer.
    package var rows: [Row] = []
    package var failures: [Failure] = []
    /// How many rows the answer had, good and bad: an answer of only bad rows is not the empty page.
    package var count: Int { rows.count + failures.count }

    /// - Throws: `.mismatch` when the place holds no list.
    package init(_ node: JSONNode) throws(WireError) {
        guard let elements = node.elements else { throw .mismatch(path: "") }
        for (index, element) in elements.enumerated() {
            do throws(WireError) { rows.append(try Row(element)) } catch {
                let id = element["id"].flatMap { UUID($0) }
                failures.append(Failure(index: index, id: id, error: error))
            }
        }
    }
}
