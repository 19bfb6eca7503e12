import FoundationEssentials

/// How large, how busy and how rough a world is.
struct Plan {
    let devices: Int
    let peopleWithDevices: Int
    let distantPeople: Int
    let rooms: Int
    /// Until when people write and things go wrong.
    let length: Duration
    /// Between two things a user does.
    let pause: ClosedRange<Duration>
    /// Between two blows.
    let mishapEvery: ClosedRange<Duration>
    let latency: ClosedRange<Duration>
    let pace: Agenda.Pace
    let pages: ModelServer.Pages
    let trouble: Line.Trouble
    let blows: Blows
    let jobLimit = 400_000

    init(_ random: inout SeededRandom) {
        devices = random.pick([1, 1, 1, 2, 2, 2, 2, 3, 3, 4, 5]) ?? 1
        let sharing = devices > 1 && random.happens(300) ? 1 : 0
        peopleWithDevices = devices - sharing
        distantPeople = peopleWithDevices == 1 ? 1 : Int(random.below(2))
        rooms = Int(1 + random.below(3))
        // Most are short: a fault is met as soon in many small worlds as in a large one, and found in less of it.
        length = random.moment(
            random.pick([
                .seconds(3)...(.seconds(15)), .seconds(3)...(.seconds(15)), .seconds(10)...(.seconds(40)),
                .seconds(10)...(.seconds(40)), .seconds(40)...(.seconds(180)),
            ]) ?? .seconds(10)...(.seconds(40)))
        pause =
            random.pick([
                .milliseconds(200)...(.seconds(3)), .seconds(1)...(.seconds(15)),
                .milliseconds(1)...(.seconds(30)),
            ]) ?? .seconds(1)...(.seconds(15))
        mishapEvery = .milliseconds(100)...(random.moment(.seconds(2)...(.seconds(30))))
        latency =
            random.pick([
                .milliseconds(1)...(.milliseconds(5)), .milliseconds(5)...(.milliseconds(80)),
                .milliseconds(20)...(.milliseconds(900)), .milliseconds(1)...(.seconds(5)),
            ]) ?? .milliseconds(5)...(.milliseconds(80))
        pace = Self.pace(&random)
        pages =
            random.happens(500)
            ? ModelServer.Pages(
                heads: Int(1 + random.below(3)), messages: Int(1 + random.below(8)),
                changes: Int(1 + random.below(5))) : ModelServer.Pages()
        trouble = Self.trouble(&random)
        blows = Blows(
            hitDisks: random.happens(300), removeMessages: random.happens(300),
            moveMembers: random.happens(300), haveFiles: random.happens(400))
    }

    /// What else happens in it. In most worlds not all: what must hold is less where more is lost.
    struct Blows {
        let hitDisks: Bool
        let removeMessages: Bool
        let moveMembers: Bool
        let haveFiles: Bool
    }

    private static func pace(_ random: inout SeededRandom) -> Agenda.Pace {
        var pace = Agenda.Pace()
        pace.usual = random.pick([1_000, 50_000, 2_000_000]) ?? 1_000
        pace.longPerMille = random.pick([0, 0, 2, 20]) ?? 0
        pace.long = random.pick([20_000_000, 500_000_000, 5_000_000_000]) ?? 0
        pace.stopsPerMille = random.pick([0, 100, 500, 1_000]) ?? 0
        return pace
    }

    private static func trouble(_ random: inout SeededRandom) -> Line.Trouble {
        var trouble = Line.Trouble()
        func often() -> Int { random.pick([0, 0, 10, 50, 200]) ?? 0 }
        trouble.lostRequests = often()
        trouble.lostAnswers = often()
        trouble.repeats = often()
        trouble.askedToWait = often()
        trouble.unavailable = often()
        trouble.intercepted = often()
        trouble.lostNews = often()
        trouble.repeatedNews = often()
        return trouble
    }
}
