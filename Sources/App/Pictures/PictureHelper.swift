import Diagnostics
import Models
import Programs
import Terminal

/// Draws pictures by `chafa`, a program of its own: what a stranger's file does to it ends with it.
///
/// It gets the path of a file that we fetched and named, no shell, no home, no desktop, and little time and memory.
/// What it writes is read by `MosaicReader`, which lets nothing through but tiles.
struct PictureHelper: Sendable {
    static let name = "chafa"
    /// Bytes of its output; a picture as large as there is room for has a quarter of it.
    static let outputLimit = 512 << 10
    private static let limits = ProgramLimits(
        time: .seconds(8), memory: 768 << 20, output: outputLimit, fileSize: 1)

    let depth: ColorDepth
    private let runner: ProgramRunner
    private let limits: ProgramLimits

    /// - Parameters:
    ///   - environment: Ours; the helper gets the search path from it and nothing else.
    ///   - depth: The colours to draw in; `.none` draws nothing.
    init(
        environment: [String: String], depth: ColorDepth, limits: ProgramLimits = Self.limits,
        log: Log = .silent
    ) {
        var own = ["LANG": "C.UTF-8"]
        own["PATH"] = environment["PATH"]
        runner = ProgramRunner(environment: own, log: log)
        self.depth = depth
        self.limits = limits
    }

    /// Whether the program is there.
    var isInstalled: Bool { runner.find(Self.name) != nil }

    /// - Parameters:
    ///   - path: Absolute.
    ///   - size: The picture's, in cells. It has its shape, but for rounding, of which the helper has rules of its own.
    /// - Returns: What the program wrote, to be read by `MosaicReader`.
    func draw(_ path: String, size: Size) async throws(ProgramError) -> [UInt8] {
        let options = [
            "--format=symbols", "--symbols=space+half+quad+solid", "--colors=\(colors)",
            // Of few colours the one that people find nearest; the other way turns what is dark to grey.
            "--color-space=\(depth == .trueColor ? "rgb" : "din99d")",
            "--size=\(size.columns.cells)x\(size.rows)", "--stretch", "--animate=off", "--optimize=0",
            "--polite=on", "--threads=1", "--work=7",
        ]
        return try await runner.run(
            Program(Self.name, options: options, operands: [path], limits: limits)
        ).output
    }

    /// The 240 above the first sixteen, which look different in each terminal.
    private var colors: String {
        switch depth {
        case .none: "none"
        case .eight: "8"
        case .sixteen: "16"
        case .palette: "240"
        case .trueColor: "full"
        }
    }

    /// Tells what was drawn for one terminal from what was drawn for another.
    var way: String { colors }
}
