import Testing

@testable import Demo

private let lines = Story.all.flatMap(\.lines)

@Test func thereIsEnoughToReadAndOfEveryKind() {
    #expect(80...100 ~= lines.count)
    #expect(lines.contains { $0.isDeleted })
    #expect(lines.contains { $0.isEdited })
    #expect(lines.contains { $0.replyTo != nil })
    #expect(lines.contains { $0.text.count > 500 })
    #expect(lines.contains { $0.text.contains("https://") })
    #expect(lines.filter { !$0.reactions.isEmpty }.count > 10)
    #expect(
        lines.contains {
            $0.author == .mei && $0.text.unicodeScalars.contains { 0x4E00...0x9FFF ~= $0.value }
        })
}

@Test(arguments: Story.all)
func everyReplyHasSomethingToReplyTo(story: Story) {
    var names: Set<String> = []
    for line in story.lines {
        if let name = line.replyTo { #expect(names.contains(name)) }
        if let name = line.name { #expect(names.insert(name).inserted) }
    }
}

@Test(arguments: Story.all)
func onlyMembersTakePartAndNobodyWaitsForAnAnswerFromTheStart(story: Story) {
    #expect(story.members.contains(.you))
    #expect(
        story.lines.allSatisfy { line in
            story.members.contains(line.author)
                && line.reactions.allSatisfy { story.members.contains($0.role) }
        })
    #expect(story.lines.last?.author != .you)
    #expect(story.lines.suffix(story.unread).allSatisfy { $0.author != .you })
}

/// Whatever the hour and the zone the demo starts in.
@Test(arguments: [0, 1, 239, 240, 600, 1_439], [-11 * 3_600, 0, 5 * 3_600 + 2_700, 14 * 3_600])
func everyLineComesAfterTheOneBeforeAndBeforeNow(minute: Int, offset: Int) {
    let midnight: Int64 = 1_767_225_600_000_000 - Int64(offset) * 1_000_000
    let now = midnight + Int64(minute) * 60_000_000
    let timeline = Timeline(now: now, offset: offset)
    for story in Story.all {
        let given = story.lines.map { timeline.instant($0.moment) }
        let instants = timeline.instants(story.lines)
        #expect(zip(instants, instants.dropFirst()).allSatisfy { $0 < $1 })
        #expect(zip(given, instants).allSatisfy { $1 - $0 < 60_000_000 })
        #expect(instants.allSatisfy { $0 < now })
    }
}

@Test func aTimeOfDayIsALocalOne() {
    // 2026-01-01 00:30 in a zone two hours east of UTC.
    let timeline = Timeline(now: 1_767_220_200_000_000, offset: 7_200)
    #expect(timeline.instant(.daysAgo(1, hour: 9, minute: 15)) == 1_767_165_300_000_000)
    #expect(timeline.instant(.minutesAgo(2)) == 1_767_220_080_000_000)
}

/// A failing test names the story instead of telling it.
extension Story: CustomTestStringConvertible {
    public var testDescription: String { title ?? "a talk of \(members.count)" }
}
