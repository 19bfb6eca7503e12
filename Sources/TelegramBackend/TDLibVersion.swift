/// A version of TDLib, `major.minor.patch`.
struct TDLibVersion: Comparable, Sendable, CustomStringConvertible {
    let major: Int
    let minor: Int
    let patch: Int

    /// Shapes of requests we send came with the releases up to this one; an older library would accept our
    /// JSON and quietly do something else.
    static let oldest = TDLibVersion(major: 1, minor: 8, patch: 65)

    init(major: Int, minor: Int, patch: Int) {
        self.major = major
        self.minor = minor
        self.patch = patch
    }

    /// `nil` for anything but three numbers.
    init?(_ text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false).map { part in
            part.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(part) : nil  // `Int` takes a sign, too
        }
        guard parts.count == 3, let major = parts[0], let minor = parts[1], let patch = parts[2] else {
            return nil
        }
        self.init(major: major, minor: minor, patch: patch)
    }

    /// The next minor version may change what a patch may not.
    var isUsable: Bool { (major, minor) == (Self.oldest.major, Self.oldest.minor) && self >= Self.oldest }

    var description: String { "\(major).\(minor).\(patch)" }

    static func < (left: TDLibVersion, right: TDLibVersion) -> Bool {
        (left.major, left.minor, left.patch) < (right.major, right.minor, right.patch)
    }
}
