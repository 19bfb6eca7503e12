import CConcurrency
import Glibc

/// `Simulation SEED` prints all steps of one world. `Simulation FIRST COUNT [SECONDS]` runs many until one fails, and
/// prints what was counted, a name and a number in each line.
@main
struct Simulation {
    static func main() {
        pl_hash_alike()
        let missing = Agenda.takeOver()
        guard missing == 0 else {
            print("This Swift lacks hook \(missing) of its concurrency runtime.")
            exit(2)
        }
        let numbers = CommandLine.arguments.dropFirst().map { UInt64($0) ?? 0 }
        if numbers.count == 1 { exit(Run.traced(numbers[0]) ? 0 : 1) }
        var tally = Tally()
        let (runs, failed) = Run.many(
            from: numbers.first ?? 1, count: numbers.dropFirst().first ?? 100,
            seconds: numbers.count > 2 ? Int(numbers[2]) : nil, into: &tally)
        print("runs\t\(runs)\nlives\t\(tally.lives)\nmessages\t\(tally.messages)\njobs\t\(tally.jobs)")
        for (fault, count) in tally.faults.sorted(by: { $0.key < $1.key }) { print("\(fault)\t\(count)") }
        if let failed {
            print("failed seed\t\(failed)")
            exit(1)
        }
    }
}
