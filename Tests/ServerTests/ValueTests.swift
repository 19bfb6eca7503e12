import SQLite
import SupabaseWire
import Testing
import Timestamps

@testable import Server

@Suite struct ValueTests {
    @Test func aUUIDIsKeptInLowerCaseWithHyphens() {
        let kept = "3d0f9b52-6a1e-4c77-9d64-0e5b7a1f2c11"
        #expect(UUIDText.canonical("3D0F9B52-6A1E-4C77-9D64-0E5B7A1F2C11") == kept)
        #expect(UUIDText.canonical("3d0f9b526a1e4c779d640e5b7a1f2c11") == kept)
        for text in ["", "nope", kept + "0", "3d0f9b52-6a1e-4c77-9d640-e5b7a1f2c11", "-" + kept.dropFirst()] {
            #expect(UUIDText.canonical(text) == nil)
        }
    }

    @Test(arguments: [
        (ColumnKind.uuid, "nope", "22P02"), (.timestamptz, "2026-01-01T00:00:00 00:00", "22007"),
        (.int4, "3000000000", "22003"), (.int8, "1.5", "22P02"), (.bool, "perhaps", "22P02"),
        (.text, "a\0b", "22P05"),
    ])
    func aValueOfAnotherTypeIsRefused(_ kind: ColumnKind, _ text: String, _ code: String) {
        let refusal = #expect(throws: Refusal.self) { try kind.read(text) }
        #expect(refusal?.code == code)
        #expect(refusal?.status == 400)
    }

    /// A client that cannot read a date cannot read its row.
    @Test(arguments: ["infinity", "-infinity", " -Infinity "]) func theEndsOfTimeAreStoredAsDates(
        _ text: String
    ) throws {
        let stored = try #require(Int64(sqlValue: try ColumnKind.timestamptz.read(.string(text), now: 0)))
        #expect(Timestamp(TimestampText.rest(stored))?.microseconds == stored)
    }

    @Test func valuesOfABodyAreCast() throws {
        #expect(try ColumnKind.timestamptz.read("now", now: 5) == .integer(5))
        #expect(try ColumnKind.int8.read("12", now: 0) == .integer(12))
        #expect(try ColumnKind.text.read(12, now: 0) == .text("12"))
        #expect(try ColumnKind.bool.read(true, now: 0) == .integer(1))
        #expect(try ColumnKind.uuid.read(nil, now: 0) == .null)
    }

    @Test func stringsAreEscapedAsJSON() throws {
        let text = "\"\\\n\u{1}\u{1F389}é"
        let written = JSONValue.string(text).jsonText
        #expect(written == #""\"\\\n\u0001🎉é""#)
        #expect(try WireCoding.decode(JSONValue.self, from: written) == .string(text))
    }

    @Test(arguments: [
        ("Ada", "x@y.z", "ada"), ("", "ada.l@y.z", "ada.l"), ("b", "", "userb"),
        ("Ada Lovelace!", "", "ada_lovelace"),
        ("__x.y__", "", "x.y"), ("日本", "", "user"),
        (String(repeating: "a", count: 40), "", String(repeating: "a", count: 24)),
    ])
    func aNameIsMadeOfWhatWasAskedFor(_ wanted: String, _ email: String, _ name: String) {
        #expect(NewProfile.base(wanted, email: email) == name)
    }

    @Test(arguments: [
        ("ab", false), ("abc", true), ("a.b", true), (".ab", false), ("aB1", false), ("a-b", false),
    ])
    func userNamesHaveRules(_ name: String, _ isOne: Bool) {
        #expect(Checks.isUsername(name) == isOne)
    }

    @Test(arguments: ["nope", "@b.c", "a@", "a@b@c", "a b@c.d", "a@b..c"])
    func whatIsNoAddressIsRefused(_ text: String) {
        let refusal = #expect(throws: Refusal.self) { try Credentials.address(text) }
        #expect(refusal?.code == "validation_failed")
    }

    @Test func aBucketLetsTenSecondsWorthThroughAtOnce() {
        var bucket = RateBucket(perSecond: 2, now: 0)
        let burst = (0..<21).map { _ in bucket.take(now: 0) }
        #expect(burst == Array(repeating: true, count: 20) + [false])
        let later = [bucket.take(now: 500_000), bucket.take(now: 500_000)]
        #expect(later == [true, false])
    }
}
