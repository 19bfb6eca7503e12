import Models
import Terminal
import TestSupport
import Testing
import ViewModels

@testable import Screens

@Suite struct FileWordsTests {
    private func words(_ file: Models.Attachment, uploaded: Int? = nil) -> String {
        FileWords.line(file, uploaded: uploaded, .unicode).string
    }

    @Test func aFileIsToldByNameSizeAndKind() {
        #expect(
            words(Models.Attachment(path: "a", name: "cat.png", mimeType: "image/png", size: 48_211))
                == "⤓ cat.png 48 kB picture")
        #expect(
            words(Models.Attachment(path: "a", name: "x.bin", mimeType: "application/octet-stream", size: 5))
                == "⤓ x.bin 5 B")
        #expect(words(Models.Attachment(path: "a")) == "⤓ file")
        #expect(
            words(
                Models.Attachment(path: "", name: "m.zip", mimeType: "Application/Zip; x=y", size: 3_456_789),
                uploaded: 43)
                == "⤓ m.zip 3.4 MB archive 43%")
    }

    @Test func aStrangersNameCannotStepOutOfItsLine() {
        let line = words(
            Models.Attachment(path: "a", name: "a\u{1B}[2J\u{202E}gnp\nb", mimeType: "text/plain"))
        #expect(!line.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x202E })
    }

    @Test func aMessageOnItsWayShowsHowFarItsFileHasCome() {
        var message = Message.waiting("", order: 1)
        message.attachment = Models.Attachment(path: "", name: "cat.png", size: 900)
        let look = MessageLook(sender: "ana", isOwn: true, nameWidth: 4, time: "09:41", uploaded: 43)
        let lines = MessageLayout(width: 44, glyphs: .unicode).lines(message, look)
        #expect(picture(lines) == " 09:41 ana  ⤓ cat.png 900 B 43%           ○")
    }

    @Test func theComposerShowsTheFileAboveTheText() {
        var state = ComposerState()
        state.file = OutgoingFile(
            copy: "c",
            attachment: Models.Attachment(path: "", name: "cat.png", mimeType: "image/png", size: 48_211),
            sha256: "")
        state.text.insert("look")
        let look = ComposerLook(
            state, names: { _ in "" }, width: 50, most: 4, isFocused: true, glyphs: .unicode)
        #expect(picture(look.lines) == "⤓ cat.png 48 kB picture  :detach takes it out\n> look")
        #expect(look.cursor?.row == 1)
    }
}
