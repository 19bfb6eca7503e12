import FoundationEssentials
import Models
import TestSupport
import Testing

@testable import ViewModels

extension Message {
    /// A message with a picture.
    static func picture(
        _ name: String = "cat.png", mime: String? = "image/png", size: Int64? = 1_000, minutes: Int = 41
    ) -> Message {
        var message = Message.example("", minutes: minutes)
        message.attachment = Models.Attachment(path: "c/m/" + name, name: name, mimeType: mime, size: size)
        return message
    }
}

@Suite struct ThreadPicturesTests {
    private let on = ThreadPictures(.on, limit: 1_000)

    @Test func aPictureUpToTheLimitIsDrawn() {
        #expect(on.showing(.picture(size: 1_000)) == .drawn(limit: 1_000))
        #expect(on.showing(.picture(size: nil)) == .drawn(limit: 1_000))
        #expect(on.showing(.picture(size: 1_001)) == .offered)
        #expect(ThreadPictures(.ask).showing(.picture()) == .offered)
        #expect(ThreadPictures(.off).showing(.picture()) == .none)
    }

    @Test func whatTheUserSaidCountsMoreThanTheSettings() {
        var pictures = on
        pictures.wishes = [Message.picture().id: false]
        #expect(pictures.showing(.picture()) == .offered)
        pictures.wishes = [Message.picture().id: true]
        #expect(pictures.showing(.picture(size: 9_000_000)) == .drawn(limit: nil))
        pictures.mode = .off
        #expect(pictures.showing(.picture()) == .none)
    }

    @Test func onlyPicturesOfKindsThatAreDrawn() {
        for mime in ["image/PNG", "image/jpeg; q=1", "image/gif", "image/webp"] {
            #expect(on.showing(.picture("x", mime: mime)) != .none)
        }
        for mime in ["image/svg+xml", "text/plain", "image/avif", ""] {
            #expect(on.showing(.picture("cat.png", mime: mime)) == .none)
        }
        #expect(on.showing(.picture("cat.JPG", mime: nil)) != .none)
        #expect(on.showing(.picture("png", mime: nil)) == .none)
        #expect(on.showing(.example("hi")) == .none)
    }

    @Test func nothingIsDrawnOfAMessageThatIsDeletedOrNotSentYet() {
        var (deleted, waiting, uploading) = (Message.picture(), Message.picture(), Message.picture())
        deleted.deletedAt = .exampleMorning
        waiting.position = nil
        uploading.attachment?.path = ""
        for message in [deleted, waiting, uploading] { #expect(on.showing(message) == .none) }
    }
}

@MainActor @Suite(.timeLimit(.minutes(1))) struct PictureCommandTests {
    private let fixture = Fixture()
    private var model: AppModel { fixture.model }

    private func begin(_ messages: [Message]) async {
        await fixture.begin()
        fixture.service.stored[Fixture.crew.id] = messages
        model.open(fixture.ref(Fixture.crew))
        await until { [model] in model.thread?.state.window.newest?.id == messages.last?.id }
    }

    private var showing: ThreadPictures.Showing? {
        model.thread.map { $0.state.pictures.showing(.picture()) }
    }

    @Test func theCommandDrawsAPictureAndPutsItAway() async {
        model.draw(ThreadPictures(.ask))
        await begin([.picture(), .example("seen it?", minutes: 42)])
        #expect(showing == .offered)
        model.perform(.picture)
        #expect(showing == .drawn(limit: nil))
        model.perform(.picture)
        #expect(showing == .offered)
        #expect(model.state.notice == nil)
    }

    @Test func aThreadThatIsOpenLearnsOfTheSettings() async {
        await begin([.picture()])
        #expect(showing == ThreadPictures.Showing.none)
        model.draw(ThreadPictures(.on))
        #expect(showing == .drawn(limit: ThreadPictures.standardLimit))
    }

    @Test func itSaysWhyNothingIsDrawn() async {
        model.draw(ThreadPictures(.on))
        await begin([.example("no picture")])
        model.perform(.picture)
        #expect(model.state.notice?.what == "There is no picture here.")
        model.draw(ThreadPictures(.off), obstacle: UserCopy("No colours.", next: "Get some."))
        model.perform(.picture)
        #expect(model.state.notice?.what == "No colours.")
    }
}
