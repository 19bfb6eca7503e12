import FoundationEssentials
import Programs
import Testing

@testable import App

@Suite struct ExternalEditorTests {
    private func editor(_ variables: [String: String]) -> ExternalEditor {
        let environment = ["PATH": "/usr/bin:/bin"].merging(variables) { $1 }
        return ExternalEditor(
            environment: environment, runner: ProgramRunner(environment: environment))
    }

    @Test func theVisualEditorComesFirst() {
        #expect(
            editor(["VISUAL": "emacs -nw", "EDITOR": "ed"]).command(for: "/t") == ["emacs", "-nw", "/t"])
        #expect(editor(["VISUAL": "", "EDITOR": "ed"]).command(for: "/t") == ["ed", "/t"])
        #expect(editor(["VISUAL": " ", "EDITOR": "ed"]).command(for: "/t") == ["ed", "/t"])
    }

    @Test func aShellReadsQuotes() async throws {
        let long = editor(["EDITOR": #"sed -i -e 's/a b/c/'"#])
        #expect(long.command(for: "/t").first == "/bin/sh")
        #expect(try await long.edit("a b") == "c")
    }

    @Test func anEditorThatIsNotThereIsNamedAsSuch() async {
        for wish in ["no-such-editor", "no-such-editor 'x y'"] {
            await #expect(throws: EditorError.notFound) { try await editor(["EDITOR": wish]).edit("text") }
        }
        await #expect(throws: EditorError.failed) { try await editor(["EDITOR": "false"]).edit("text") }
    }
}
