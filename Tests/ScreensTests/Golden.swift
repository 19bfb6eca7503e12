import FoundationEssentials
import Testing

/// Compares a screen with the one that is kept in `Golden/`.
///
/// With `PINGLINE_RECORD=1` in the environment it is written there instead: read the diff before you commit it.
func expectGolden(
    _ drawn: String, _ name: String, file: String = #filePath,
    sourceLocation: SourceLocation = #_sourceLocation
) throws {
    let folder = URL(filePath: file).deletingLastPathComponent().appending(path: "Golden")
    let path = folder.appending(path: "\(name).screen")
    if ProcessInfo.processInfo.environment["PINGLINE_RECORD"] == "1" {
        try Data(drawn.utf8).write(to: path)
        return
    }
    let kept = String(decoding: try Data(contentsOf: path), as: UTF8.self)
    #expect(drawn == kept, "the screen differs from \(name).screen", sourceLocation: sourceLocation)
}
