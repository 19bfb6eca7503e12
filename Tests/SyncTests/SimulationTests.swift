import FoundationEssentials
import Programs
import Testing

/// Whole worlds of clients, a server and everything that goes wrong between them: `Tests/Simulation`. They run in a
/// process of their own, in which nothing runs by itself.
@Suite(.timeLimit(.minutes(3))) struct SimulationTests {
    @Test func nothingIsLostAndNothingComesTwice() async throws {
        let output = try await simulate("1", "40")
        #expect(output.contains("runs\t40"))
    }

    @Test(arguments: ["3", "61"])
    func theSameSeedIsTheSameWorld(_ seed: String) async throws {
        let first = try await simulate(seed)
        #expect(first.count > 1_000)
        #expect(try await simulate(seed) == first)
    }

    private func simulate(_ words: String...) async throws -> String {
        // Beside the program that runs the tests, wherever that was built.
        let own = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        let path = URL(filePath: own).deletingLastPathComponent().appending(path: "Simulation").path
        // A world has no surroundings but the options of a sanitizer, which know what is no race.
        let surroundings = ProcessInfo.processInfo.environment.filter { $0.key.hasSuffix("SAN_OPTIONS") }
        let program = Program(
            "/usr/bin/env", options: surroundings.map { "\($0.key)=\($0.value)" } + [path] + words,
            limits: ProgramLimits(time: .seconds(170), memory: .max))  // sanitizers map a lot and use little
        let result = try await ProgramRunner(environment: [:]).run(program)
        return String(decoding: result.output, as: UTF8.self)
    }
}
