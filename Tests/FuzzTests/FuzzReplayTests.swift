import FoundationEssentials
import Fuzz
import Testing

/// What the search for bad inputs starts from, and every one it ever found: the same checks, on each run.
struct FuzzReplayTests {
    @Test(arguments: FuzzTarget.all.map(\.name))
    func everythingHoldsForTheFirstInputs(name: String) throws {
        let target = try #require(FuzzTarget.all.first { $0.name == name })
        let inputs = target.firstInputs
        #expect(inputs.count >= 12)
        for (index, input) in inputs.enumerated() {
            #expect(target.run(input) == nil, "first input \(index) of \(name)")
        }
    }

    @Test(arguments: FoundInput.all)
    func whatWasFoundOnceHoldsNow(found: FoundInput) throws {
        let target = try #require(FuzzTarget.all.first { $0.name == found.target })
        #expect(target.run(found.bytes) == nil)
    }

    @Test func theFoundInputsAreThere() {
        #expect(FoundInput.all.count >= 5)
    }

    @Test func aBodyIsRepeatedOnlyWhenItsPlanSaysSo() throws {
        let target = try #require(FuzzTarget.all.first { $0.name == "clean-text" })
        // Work that is counted as too much is a finding whatever the text is.
        var counted = 0
        let finding = target.run([0xF0, 0, 0x61]) {
            counted += 1 << 40
            return counted
        }
        #expect(finding?.hasPrefix("16384 bytes cost") == true)
    }
}

/// A file of `Tests/Fuzz/Found`: an input that once broke a rule, in the folder of its target.
struct FoundInput: Sendable, CustomTestStringConvertible {
    let target: String
    let name: String
    let bytes: [UInt8]

    var testDescription: String { "\(target)/\(name)" }

    static let all: [FoundInput] = {
        let root =
            URL(filePath: #filePath).resolvingSymlinksInPath().deletingLastPathComponent()
            .deletingLastPathComponent().path + "/Fuzz/Found/"
        // A folder that cannot be read holds nothing, and `theFoundInputsAreThere` finds that out.
        let paths = (try? FileManager.default.subpathsOfDirectory(atPath: root)) ?? []
        return paths.sorted().compactMap { path in
            let parts = path.split(separator: "/")
            guard parts.count == 2, let bytes = try? Data(contentsOf: URL(filePath: root + path)) else {
                return nil
            }
            return FoundInput(target: String(parts[0]), name: String(parts[1]), bytes: Array(bytes))
        }
    }()
}
