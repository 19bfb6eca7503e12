import Testing
import Timestamps

@Suite struct TimestampTests {
    @Test(arguments: [
        "2026-03-04T05:06:07.5Z", "2026-03-04T05:06:07.5z", "2026-03-04t05:06:07.50+00:00",
        "2026-03-04 05:06:07.500000+0000", "2026-03-04T05:06:07.500000000+00", "2026-03-04T05:06:07.5",
        "2026-03-04T01:36:07.5-03:30", "2026-03-04T07:06:07.5+02",
    ])
    func everyFormOfOneInstantReadsTheSame(_ text: String) {
        #expect(Timestamp(text)?.microseconds == 1_772_600_767_500_000)
    }

    @Test(arguments: [
        ("2026-03-04T05:06:07Z", 0), ("2026-03-04T05:06:07.1Z", 100_000),
        ("2026-03-04T05:06:07.19902Z", 199_020),
        ("2026-03-04T05:06:07.891234+00:00", 891_234), ("2026-03-04T05:06:07.8912349Z", 891_234),
        ("2026-03-04T05:06:07.000000999Z", 0),
    ])
    func microsecondsAreKeptAndFurtherDigitsCut(_ text: String, _ fraction: Int64) {
        #expect(Timestamp(text)?.microseconds == 1_772_600_767_000_000 + fraction)
    }

    @Test(arguments: [
        "", "now", "2026-03-04", "2026-13-04T05:06:07Z", "2026-02-29T05:06:07Z", "2026-03-04T24:06:07Z",
        "2026-03-04T05:06:07.Z", "2026-03-04T05:06:07Zjunk", "2026-03-04T05:06:07+2", "0000-03-04T05:06:07Z",
        "2026-03-04T05:06:07+00:0", "２０２６-03-04T05:06:07Z", "0001-01-01T00:00:00+00:01",
        "9999-12-31T23:59:59-00:01", "9999-12-31T23:59:60Z",
    ])
    func whatIsNoDateIsRefused(_ text: String) {
        #expect(Timestamp(text) == nil)
    }

    @Test(arguments: [
        (0, "1970-01-01T00:00:00+00:00"), (-1, "1969-12-31T23:59:59.999999+00:00"),
        (1_772_600_767_891_234, "2026-03-04T05:06:07.891234+00:00"),
        (1_772_600_767_891_000, "2026-03-04T05:06:07.891+00:00"),
        (951_782_400_000_000, "2000-02-29T00:00:00+00:00"),
        (253_402_300_799_999_999, "9999-12-31T23:59:59.999999+00:00"),
    ])
    func restTextDropsTrailingZerosAndReadsBack(_ microseconds: Int64, _ text: String) {
        #expect(TimestampText.rest(microseconds) == text)
        #expect(Timestamp(text)?.microseconds == microseconds)
    }

    @Test func authAndStorageTextsHaveFixedDigits() {
        #expect(TimestampText.auth(1_772_600_767_000_500) == "2026-03-04T05:06:07.000500Z")
        #expect(TimestampText.milliseconds(1_772_600_767_891_999) == "2026-03-04T05:06:07.891Z")
        #expect(TimestampText.milliseconds(-1_000) == "1969-12-31T23:59:59.999Z")
    }

    @Test func theTextReceivedIsKeptThoughEqualityIsByInstant() {
        let long = Timestamp("2026-03-04T05:06:07.500000Z")
        let short = Timestamp("2026-03-04T05:06:07.5+00:00")
        #expect(long == short)
        #expect(long?.text == "2026-03-04T05:06:07.500000Z")
    }
}
