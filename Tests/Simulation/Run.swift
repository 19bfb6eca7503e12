import FoundationEssentials
import Glibc

/// Runs seeds, one after another.
enum Run {
    struct Outcome {
        let failures: [String]
        let tally: Tally
        let fingerprint: UInt64
    }

    static func one(_ seed: UInt64, tracer: (@MainActor (Duration, String) -> Void)? = nil) -> Outcome {
        do {
            let world = try World(seed: seed, tracer: tracer)
            let failures = world.run()
            return Outcome(
                failures: failures, tally: world.tally, fingerprint: world.agenda.fingerprint)
        } catch {
            return Outcome(failures: ["no world: \(error)"], tally: Tally(), fingerprint: 0)
        }
    }

    /// With every step printed.
    static func traced(_ seed: UInt64) -> Bool {
        let outcome = one(seed) { moment, words in print("\(stamp(moment))  \(words)") }
        print(
            "seed \(seed): \(outcome.tally.jobs) jobs, fingerprint \(String(outcome.fingerprint, radix: 16))")
        for failure in outcome.failures { print("  \(failure)") }
        print(outcome.failures.isEmpty ? "all is well" : "FAILED")
        return outcome.failures.isEmpty
    }

    private static func stamp(_ moment: Duration) -> String {
        let micros = moment.nanoseconds / 1_000
        let text = "\(micros / 1_000_000).\(String(1_000_000 + micros % 1_000_000).dropFirst())"
        return String(repeating: " ", count: max(0, 11 - text.count)) + text
    }

    /// - Returns: The first seed that failed.
    static func many(from base: UInt64, count: UInt64, seconds: Int?, into tally: inout Tally) -> (
        runs: UInt64, failed: UInt64?
    ) {
        let end = seconds.map { time(nil) + $0 }
        var runs: UInt64 = 0
        while runs < count {
            if let end, time(nil) >= end { break }
            let seed = base &+ runs
            let outcome = one(seed)
            runs += 1
            tally.add(outcome.tally)
            guard outcome.failures.isEmpty else { return (runs, seed) }
        }
        return (runs, nil)
    }
}
