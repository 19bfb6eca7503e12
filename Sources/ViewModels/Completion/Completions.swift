/// What a line may go on with from one place on.
package struct Completions: Hashable, Sendable {
    package struct Candidate: Hashable, Sendable {
        /// What takes the place of what was typed.
        package var text: String
        /// What is shown of it: foreign text.
        package var label: String

        package init(_ text: String, label: String? = nil) {
            self.text = text
            self.label = label ?? text
        }
    }

    /// In the order in which they are offered.
    package var candidates: [Candidate]
    /// How many there are, also those that are not offered.
    package var total: Int
    /// How far all of them agree.
    package var common: String

    package init(candidates: [Candidate] = [], total: Int = 0, common: String = "") {
        self.candidates = candidates
        self.total = total
        self.common = common
    }

    /// Those of the words that begin like what was typed; capital and small letters count as equal.
    init(_ words: [Candidate], beginningWith typed: String) {
        let start = typed.lowercased()
        candidates = words.filter { $0.text.lowercased().hasPrefix(start) }
        total = candidates.count
        common = candidates.first?.text ?? ""
        for candidate in candidates.dropFirst() { common = common.commonPrefix(with: candidate.text) }
    }
}

extension String {
    fileprivate func commonPrefix(with other: String) -> String {
        String(zip(self, other).prefix { $0 == $1 }.map(\.0))
    }
}
