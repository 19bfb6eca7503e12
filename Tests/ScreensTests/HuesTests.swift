import FoundationEssentials
import Terminal
import Testing

@testable import Screens

@Suite struct HuesTests {
    private let people = (0..<Role.senderHues).map { _ in UUID() }

    @Test func peopleOfOneConversationHaveDifferentColours() {
        let hues = Hues(people)
        #expect(Set(people.map { hues.role($0) }).count == Role.senderHues)
    }

    @Test func sixPeopleDifferByMoreThanTheBrightHalfOfTheirColour() {
        for _ in 0..<50 {
            let few = (0..<Role.plainSenderHues).map { _ in UUID() }
            let hues = Hues(few)
            let plain = (0..<Role.plainSenderHues).map { hue in
                few.count { [.sender(hue), .sender(hue + Role.plainSenderHues)].contains(hues.role($0)) }
            }
            #expect(plain.allSatisfy { $0 == 1 })
        }
    }

    @Test func theOrderOfThePeopleChangesNothing() {
        let (hues, again) = (Hues(people), Hues(people.reversed()))
        for id in people { #expect(hues.role(id) == again.role(id)) }
    }

    @Test func alonePeopleKeepTheirOwnColourEverywhere() {
        for id in people { #expect(Hues([id]).role(id) == Hues([]).role(id)) }
    }

    @Test func moreThanThereAreColoursIsNoTrouble() {
        let crowd = (0..<50).map { _ in UUID() }
        let hues = Hues(crowd)
        #expect(Set(crowd.map { hues.role($0) }).count == Role.senderHues)
        #expect(hues.role(nil) == .dim)
    }
}
