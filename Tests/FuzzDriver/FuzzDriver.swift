import CFuzz
import FoundationEssentials
import Fuzz
import Glibc

/// What libFuzzer calls. The variable `PINGLINE_FUZZ_TARGET` names the target; with `PINGLINE_FUZZ_SEEDS`, a folder,
/// the program writes there what to begin with, and a dictionary beside it, and ends.
private let target: FuzzTarget? = {
    let name = ProcessInfo.processInfo.environment["PINGLINE_FUZZ_TARGET"]
    return FuzzTarget.all.first { $0.name == name }
}()

@_cdecl("LLVMFuzzerInitialize")
func initialize(_ count: UnsafeMutablePointer<CInt>?, _ arguments: UnsafeMutableRawPointer?) -> CInt {
    guard let target else {
        say("PINGLINE_FUZZ_TARGET is one of: " + FuzzTarget.all.map(\.name).joined(separator: " "))
        exit(2)
    }
    if let folder = ProcessInfo.processInfo.environment["PINGLINE_FUZZ_SEEDS"] {
        do { try write(target, to: folder) } catch {
            say("cannot write to \(folder): \(error)")
            exit(2)
        }
        exit(0)
    }
    pl_fuzz_count_allocations()
    return 0
}

@_cdecl("LLVMFuzzerTestOneInput")
func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = Array(UnsafeBufferPointer(start: start, count: count))
    guard let finding = target?.run(input, work: { Int(pl_fuzz_work()) }) else { return 0 }
    say("FOUND: " + finding.prefix(2_000))
    abort()
}

private func write(_ target: FuzzTarget, to folder: String) throws {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    for (index, input) in target.firstInputs.enumerated() {
        try Data(input).write(to: URL(filePath: "\(folder)/seed-\(index)"))
    }
    let words = target.words.map { word in
        "\"" + word.utf8.map { "\\x" + ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() + "\"\n"
    }
    try Data(words.joined().utf8).write(to: URL(filePath: folder + ".dictionary"))
}

private func say(_ text: some StringProtocol) {
    let bytes = Array((text + "\n").utf8)
    _ = Glibc.write(2, bytes, bytes.count)
}
