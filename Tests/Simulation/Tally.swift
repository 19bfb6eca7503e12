/// What was done to a world, by kind.
enum Fault: String, CaseIterable {
    case lostRequest = "requests lost"
    case lostAnswer = "answers lost"
    case repeatedRequest = "requests repeated"
    case lateRequest = "requests come late"
    case silence = "requests into silence"
    case askedToWait = "answers 429"
    case unavailable = "answers 503"
    case intercepted = "answers in HTML"
    case lostNews = "news lost"
    case repeatedNews = "news repeated"
    case lateNews = "news repeated behind newer news"
    case lateFeed = "feeds attached late"
    case lostFeed = "feeds lost"
    case cut = "connections cut"
    case offline = "spells offline"
    case halfOpen = "half-open links"
    case serverRestart = "server restarts"
    case signedOut = "sessions ended"
    case clockJump = "clocks set"
    case slowness = "slow spells"
    case diskFull = "spells of a full disk"
    case diskError = "spells of disk errors"
    case statementFailed = "statements failed"
    case removedMessage = "messages removed outright"
    case memberOut = "members taken out"
    case memberIn = "members put in"
    case killed = "processes killed"
    case quit = "programs quit"
    case wake = "wake-ups"
}

nonisolated struct Tally: Sendable {
    var faults: [String: Int] = [:]
    var messages = 0
    var lives = 0
    var jobs = 0

    mutating func add(_ other: Tally) {
        faults.merge(other.faults) { $0 + $1 }
        messages += other.messages
        lives += other.lives
        jobs += other.jobs
    }
}
