import Glibc
import Testing

@testable import Commands

@Suite(.timeLimit(.minutes(1))) struct TerminalPromptTests {
    /// A pipe that was written to and closed.
    private func pipe(_ bytes: [UInt8]) throws -> Int32 {
        var ends: [Int32] = [0, 0]
        try #require(Glibc.pipe(&ends) == 0)
        try #require(write(ends[1], bytes, bytes.count) == bytes.count)
        close(ends[1])
        return ends[0]
    }

    private func prompt(_ text: String) throws -> TerminalPrompt {
        TerminalPrompt(input: try pipe(Array(text.utf8)), output: -1)
    }

    @Test func eachAnswerIsALine() async throws {
        let prompt = try prompt("ana@example.test\r\n pass word \n\nlast")
        #expect(!prompt.isInteractive)
        #expect(try await prompt.line("E-mail") == "ana@example.test")
        #expect(try await prompt.secret("Password") == " pass word ")
        #expect(try await prompt.line("Name") == "")
        #expect(try await prompt.line("More") == "last")
        await #expect(throws: PromptError.ended("More")) { try await prompt.line("More") }
    }

    @Test func whatIsNoTextIsRefused() async throws {
        let prompt = TerminalPrompt(input: try pipe([0x61, 0xFF, 0x0A]), output: -1)
        await #expect(throws: PromptError.notText) { try await prompt.line("E-mail") }
    }

    @Test func anAnswerHasALimit() async throws {
        let prompt = try prompt(String(repeating: "x", count: 3 * TerminalPrompt.limit))
        await #expect(throws: PromptError.tooLong(limit: TerminalPrompt.limit)) {
            try await prompt.line("E-mail")
        }
    }
}
