/// A reader that takes bytes from outside, and what must hold whatever they are.
package struct FuzzTarget: Sendable {
    package let name: String
    /// Bodies to begin with; the driver puts a plan of its own before each.
    let seeds: @Sendable () -> [[UInt8]]
    /// Words that a blind search would not come upon.
    package let words: [String]
    /// Comparisons and allocated bytes that one byte of a body may cost; far above what any reader needs, far below
    /// what one costs that looks at everything again for each byte.
    package let workPerByte: Int
    /// `nil` when everything holds; else what does not.
    let check: @Sendable (FuzzCase) -> String?

    init(
        _ name: String, words: [String] = [], workPerByte: Int = 8_000,
        seeds: @escaping @Sendable () -> [[UInt8]], check: @escaping @Sendable (FuzzCase) -> String?
    ) {
        self.name = name
        self.words = words
        self.workPerByte = workPerByte
        self.seeds = seeds
        self.check = check
    }

    /// What one byte more may not change: tables that are filled on first use, a statement that is prepared.
    private static let workOfAnything = 4 << 20

    package static let all: [FuzzTarget] = [
        .webSocket, .realtime, .rest, .dates, .cleanText, .telegram, .keys, .patterns, .forms, .settings,
        .pictures, .answers,
    ]

    /// Inputs to begin with: every seed under each of a few plans.
    package var firstInputs: [[UInt8]] {
        seeds().enumerated().flatMap { index, body in
            (0..<4).map { [UInt8($0), UInt8(truncatingIfNeeded: index * 7 + 1)] + body }
        }
    }

    /// Holds an input against what must be true.
    /// - Parameter work: Comparisons and allocated bytes so far, of the whole process.
    /// - Returns: `nil` when everything holds; else what does not.
    package func run(_ input: [UInt8], work: () -> Int = { 0 }) -> String? {
        let input = FuzzCase(input)
        let before = work()
        if let finding = check(input) { return finding }
        let allowed = Self.workOfAnything + (input.body.count + 64) * workPerByte
        let spent = work() - before
        return spent > allowed ? "\(input.body.count) bytes cost \(spent), more than \(allowed)" : nil
    }
}

/// One input: how to try it, and the bytes to try.
struct FuzzCase {
    /// Chooses between the readers of a target; 0...15.
    let variant: UInt8
    let body: [UInt8]
    private let seed: UInt8

    /// The first byte is the variant and how often the middle of the body is repeated, the second the seed of all
    /// that is to be chosen.
    init(_ input: [UInt8]) {
        let plan = input.first ?? 0
        seed = input.count > 1 ? input[1] : 0
        variant = plan & 15
        body = Self.repeated(input.dropFirst(2), plan >> 4, seed)
    }

    /// Most plans leave a body alone. The others repeat its middle until it is long, for what grows with the square
    /// of a length is not seen in a short input.
    private static func repeated(_ body: ArraySlice<UInt8>, _ mode: UInt8, _ seed: UInt8) -> [UInt8] {
        guard mode >= 12, !body.isEmpty else { return Array(body) }
        let length = 1 << (Int(mode) - 12 + 11)  // 2 to 16 KiB
        let start = Int(seed & 7) * body.count / 16
        let end = body.count - Int(seed >> 4 & 7) * body.count / 16
        let middle = body.dropFirst(start).prefix(max(end - start, 1))
        var whole = Array(body.prefix(start))
        while whole.count < length { whole += middle }
        return whole + body.dropFirst(start + middle.count)
    }

    var text: String { String(decoding: body, as: UTF8.self) }

    /// The body in pieces, as a network could hand it over: always the same for the same input.
    var pieces: [ArraySlice<UInt8>] { pieces(of: body[...]) }

    /// As `pieces`, of other bytes.
    func pieces(of bytes: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
        var pieces: [ArraySlice<UInt8>] = []
        var state = UInt32(seed) &* 2_654_435_761 | 1
        let most = [1, 2, 3, 7, 16, 64, 300, 4_096][Int(seed >> 5)]
        var rest = bytes
        while !rest.isEmpty {
            state = state &* 1_664_525 &+ 1_013_904_223
            let size = 1 + Int(state >> 16) % most
            pieces.append(rest.prefix(size))
            rest = rest.dropFirst(size)
        }
        return pieces
    }
}

extension [UInt8] {
    init(_ text: StaticString) { self = text.withUTF8Buffer { Array($0) } }
}
