/// One message of the history, as it is written down.
struct Line: Sendable, Equatable {
    let author: Role
    let moment: Moment
    let text: String
    /// A name by which a later line can refer to this one.
    var name: String?
    /// The name of the line it answers.
    var replyTo: String?
    var reactions: [Mark] = []
    /// Its author changed it a minute later; `text` is what it says since.
    var isEdited = false
    /// Taken back by its author; `text` is what it said.
    var isDeleted = false

    struct Mark: Sendable, Equatable {
        let role: Role
        let symbol: String
    }

    /// When a line was written, seen from the moment the demo starts.
    enum Moment: Sendable, Equatable {
        /// At a time of day, one day ago or more.
        case daysAgo(Int, hour: Int, minute: Int)
        /// On the last day.
        case minutesAgo(Int)
    }

    init(_ author: Role, _ moment: Moment, _ text: String) {
        self.author = author
        self.moment = moment
        self.text = text
    }

    static func day(_ days: Int, _ hour: Int, _ minute: Int, _ author: Role, _ text: String) -> Line {
        Line(author, .daysAgo(days, hour: hour, minute: minute), text)
    }

    static func ago(_ minutes: Int, _ author: Role, _ text: String) -> Line {
        Line(author, .minutesAgo(minutes), text)
    }

    func named(_ name: String) -> Line {
        var line = self
        line.name = name
        return line
    }

    func answering(_ name: String) -> Line {
        var line = self
        line.replyTo = name
        return line
    }

    func liked(by role: Role, _ symbol: String) -> Line {
        var line = self
        line.reactions.append(Mark(role: role, symbol: symbol))
        return line
    }

    var edited: Line {
        var line = self
        line.isEdited = true
        return line
    }

    var takenBack: Line {
        var line = self
        line.isDeleted = true
        return line
    }
}

/// A conversation with everything that was said in it, oldest first.
struct Story: Sendable, Equatable {
    /// `nil` for two people.
    let title: String?
    let members: [Role]
    let lines: [Line]
    /// How many of the last lines the person at the screen has not seen yet.
    let unread: Int

    static let all: [Story] = [cabin, ben, cleo, mei]
}

/// Turns moments into instants.
struct Timeline: Sendable {
    /// Microseconds since 1970.
    let now: Int64
    /// Seconds east of UTC, so that people write at sensible hours.
    let offset: Int

    func instant(_ moment: Line.Moment) -> Int64 {
        let day: Int64 = 86_400_000_000
        let minute: Int64 = 60_000_000
        switch moment {
        case .minutesAgo(let minutes): return now - Int64(minutes) * minute
        case .daysAgo(let days, let hour, let minutes):
            let local = now + Int64(offset) * 1_000_000
            // Rounded down, also before 1970.
            let midnight = local - ((local % day) + day) % day - Int64(offset) * 1_000_000
            return midnight - Int64(days) * day + Int64(hour * 60 + minutes) * minute
        }
    }

    /// The instants of a story's lines, each after the one before.
    func instants(_ lines: [Line]) -> [Int64] {
        var last = Int64.min
        return lines.map { line in
            let own = instant(line.moment)
            // Two lines of one minute are some seconds apart.
            last = own <= last ? last + 7_000_000 : own
            return last
        }
    }
}
