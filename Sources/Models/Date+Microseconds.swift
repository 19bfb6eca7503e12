import FoundationEssentials

extension Date {
    /// `Date` counts in `Double`, which near today resolves a tenth of a microsecond: this and `microseconds`
    /// give back every whole microsecond between the years 1800 and 2200.
    package init(microseconds: Int64) {
        let (seconds, fraction) = microseconds.quotientAndRemainder(dividingBy: 1_000_000)
        self.init(
            timeIntervalSinceReferenceDate: Double(seconds - 978_307_200) + Double(fraction) / 1_000_000)
    }

    /// Microseconds since 1970-01-01T00:00:00Z, rounded.
    package var microseconds: Int64 {
        let whole = timeIntervalSinceReferenceDate.rounded(.down)
        let fraction = ((timeIntervalSinceReferenceDate - whole) * 1_000_000).rounded()
        return (Int64(whole) + 978_307_200) * 1_000_000 + Int64(fraction)
    }
}

extension UUID {
    /// Lower case with hyphens, as the wire and file names have it; `uuidString` is upper case.
    package var text: String { uuidString.lowercased() }
}
