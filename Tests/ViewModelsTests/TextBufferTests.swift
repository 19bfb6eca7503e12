import Testing

@testable import ViewModels

@Suite struct TextBufferTests {
    @Test func backspaceRemovesAWholeFamily() {
        var text = TextBuffer("a👨‍👩‍👧‍👦")
        text.perform(.deleteBack)
        #expect(text.text == "a")
    }
}
