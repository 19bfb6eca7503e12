import CSystem
import Synchronization

/// Times of day where the user sits. Foundation's part that is linked knows no time zones; the C library
/// does.
package struct LocalClock: Sendable {
    /// The zone the TZ variable names, else the machine's.
    package static let system = LocalClock()

    private init() {}

    private static let found = Mutex(FoundOffsets())

    /// Takes over a TZ variable or a machine's zone that has changed since the start.
    package func reload() {
        pl_reload_time_zone()
        Self.found.withLock { $0 = FoundOffsets() }
    }

    /// The place of an instant on the local calendar, summer time included.
    /// - Parameter microseconds: Since 1970.
    /// - Returns: `nil` for an instant whose year has no number here.
    package func civil(_ microseconds: Int64) -> LocalTime? {
        var found = pl_local_time()
        guard pl_to_local(Self.seconds(microseconds), &found) != 0 else { return nil }
        return LocalTime(
            year: Int(found.year), month: Int(found.month), day: Int(found.day), hour: Int(found.hour),
            minute: Int(found.minute), second: Int(found.second), weekday: Int(found.weekday),
            offset: Int(found.offset))
    }

    /// Seconds east of UTC at that instant; 0 where there is no calendar.
    package func offset(at microseconds: Int64) -> Int {
        Self.found.withLock { found in
            found.offset(at: Self.seconds(microseconds)) { civil(microseconds)?.offset ?? 0 }
        }
    }

    /// The instant in the words of `strftime`: `%H:%M`, `%A`, in the language of LC_TIME.
    /// - Returns: Empty when the result is longer than 255 bytes or the instant has no calendar.
    package func text(_ microseconds: Int64, _ format: String) -> String {
        var bytes = [CChar](repeating: 0, count: 256)
        let count = pl_format_local(Self.seconds(microseconds), format, &bytes, bytes.count)
        return String(decoding: bytes.prefix(count).lazy.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// Downwards, also before 1970.
    private static func seconds(_ microseconds: Int64) -> Int64 {
        let (whole, rest) = microseconds.quotientAndRemainder(dividingBy: 1_000_000)
        return rest < 0 ? whole - 1 : whole
    }
}

/// Offsets that were asked for, as a screen of messages asks for the same few again and again. They hold until the
/// zone is another.
struct FoundOffsets {
    /// Since 1973 no zone has changed its offset but at a whole quarter of an hour.
    private static let quarter: Int64 = 900
    private static let since: Int64 = 94_694_400
    private static let slotCount = 64

    private var slots = [(quarter: Int64, offset: Int)](repeating: (-1, 0), count: slotCount)

    /// - Parameter find: Asked when the quarter of an hour was not looked at lately.
    mutating func offset(at seconds: Int64, _ find: () -> Int) -> Int {
        guard seconds >= Self.since else { return find() }
        let quarter = seconds / Self.quarter
        let slot = Int(quarter % Int64(Self.slotCount))
        if slots[slot].quarter != quarter { slots[slot] = (quarter, find()) }
        return slots[slot].offset
    }
}

/// A moment on the local calendar.
package struct LocalTime: Sendable, Hashable {
    package var year: Int
    /// 1...12.
    package var month: Int
    package var day: Int
    package var hour: Int
    package var minute: Int
    package var second: Int
    /// 0 is Sunday.
    package var weekday: Int
    /// Seconds east of UTC.
    package var offset: Int

    package init(
        year: Int, month: Int, day: Int, hour: Int = 0, minute: Int = 0, second: Int = 0, weekday: Int = 0,
        offset: Int = 0
    ) {
        self.year = year
        self.month = month
        self.day = day
        self.hour = hour
        self.minute = minute
        self.second = second
        self.weekday = weekday
        self.offset = offset
    }
}
