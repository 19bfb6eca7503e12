/// A name a downloaded file can safely have, made from one a stranger chose.
///
/// It is one component: it leads out of no folder, is no option for a helper program, holds nothing that a
/// terminal or a reader could take for something else, and suits also the file systems of USB sticks.
/// Letters, emoji and the extension stay as they are.
package struct AttachmentFileName: Sendable, Hashable {
    /// Most bytes of a name. It leaves room within the 255 of Linux for a number and a suffix.
    package static let byteLimit = 240
    /// The highest number `numbered` gives.
    package static let highestNumber = 9_999

    package let text: String

    /// Where the extension begins, with its dot; the end of the text when there is none.
    private let stem: String
    private let ending: String

    /// - Parameters:
    ///   - suggested: What the sender calls it; `nil` or nothing usable gives `fallback`.
    ///   - fallback: A name of ours, like `photo 2026-01-02 17.jpg`. It goes through the same rules.
    ///   - byteLimit: Smaller where the folder allows only shorter names; at least 32.
    package init(_ suggested: String?, fallback: String, byteLimit: Int = AttachmentFileName.byteLimit) {
        let clean = suggested.map(FileNameText.clean) ?? ""
        let spare = FileNameText.clean(fallback)
        let chosen = clean.isEmpty ? (spare.isEmpty ? "file" : spare) : clean
        let (stem, ending) = FileNameText.split(chosen)
        let room = max(byteLimit, 32) - ending.utf8.count
        self.init(stem: FileNameText.shorten(stem, to: room), ending: ending)
    }

    private init(stem: String, ending: String) {
        self.stem = stem
        self.ending = ending
        text = stem + ending
    }

    /// The same name for one more file: `video (2).mp4`. At most 7 bytes longer.
    /// - Parameter number: 2...`highestNumber`; 1 is the name itself.
    package func numbered(_ number: Int) -> AttachmentFileName {
        number < 2 ? self : AttachmentFileName(stem: "\(stem) (\(number))", ending: ending)
    }

    /// Equal for two names that some file system takes for one: those that differ in case or in how an accent
    /// is composed.
    package var collisionKey: String { Self.collisionKey(of: text) }

    /// The same for a name found in a folder.
    package static func collisionKey(of name: String) -> String {
        // Up and down again folds what has no single lower case, like ß and final sigma.
        FileNameText.composed(FileNameText.composed(name).uppercased().lowercased())
    }
}
