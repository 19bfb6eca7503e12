import Glibc

/// Dates of HTTP headers: `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110 section 5.6.7; the two obsolete forms are
/// not read, nobody has sent them for decades).
enum HTTPDate {
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// Seconds since 1970, or `nil` for anything else than such a date.
    static func seconds(_ text: String) -> Int64? {
        let words = text.split(separator: " ")
        guard words.count == 6, words[5] == "GMT", let day = Int32(words[1]), let year = Int32(words[3])
        else {
            return nil
        }
        let clock = words[4].split(separator: ":").compactMap { Int32($0) }
        guard clock.count == 3, (1...31).contains(day), (1970...9999).contains(year),
            (0...23).contains(clock[0]), (0...59).contains(clock[1]), (0...60).contains(clock[2]),
            let month = months.firstIndex(where: { $0 == words[2] })
        else { return nil }
        var civil = tm()
        civil.tm_year = year - 1900
        civil.tm_mon = Int32(month)
        civil.tm_mday = day
        civil.tm_hour = clock[0]
        civil.tm_min = clock[1]
        civil.tm_sec = clock[2]
        return Int64(timegm(&civil))
    }
}
