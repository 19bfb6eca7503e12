import FoundationEssentials
import Testing

@testable import Networking

struct HTTPHeadersTests {
    @Test func namesAreComparedWithoutCase() {
        var headers: HTTPHeaders = ["Content-Type": "text/plain", "Set-Cookie": "a", "SET-COOKIE": "b"]

        #expect(headers["content-TYPE"] == "text/plain")
        #expect(headers.values("set-cookie") == ["a", "b"])
        headers["set-cookie"] = "c"
        #expect(headers.values("Set-Cookie") == ["c"])
        headers["CONTENT-type"] = nil
        #expect(headers["Content-Type"] == nil)
        headers.add("Set-Cookie", "d")
        #expect(headers.values("set-cookie") == ["c", "d"])
    }

    @Test func tokensAreFoundInEveryList() {
        let headers: HTTPHeaders = ["Connection": "keep-alive ,\tUPGRADE", "connection": "x"]

        #expect(headers.hasToken("upgrade", in: "Connection"))
        #expect(headers.hasToken("X", in: "Connection"))
        #expect(!headers.hasToken("up", in: "Connection"))
        #expect(!headers.hasToken("", in: "Upgrade"))
    }

    @Test func aHeadSurvivesOddLines() {
        var head = HTTPHead()
        let lines = ["HTTP/1.1 200", "A:b", "a :  c\t", "Empty:", "Latin: \u{FFFD}\r\n", ""]
        for line in lines { #expect(Array(line.utf8).withUnsafeBytes { head.take($0) }) }

        #expect(head.status == 200)
        #expect(head.headers["A"] == "b")
        #expect(head.headers["Empty"] == "")
        #expect(head.isComplete)
        #expect(!Array("no colon".utf8).withUnsafeBytes { head.take($0) })
    }

    @Test(arguments: ["HTTP/1.1", "HTTP/1.1 abc", "HTTP/1.1 99", "HTTP/2 1000"])
    func aStatusLineMustHaveAStatus(line: String) {
        var head = HTTPHead()

        #expect(!Array(line.utf8).withUnsafeBytes { head.take($0) })
    }
}

struct RetryAfterTests {
    private let now = Date(timeIntervalSince1970: 784_111_770)

    @Test(arguments: [
        ("0", Duration.seconds(0)), ("120", .seconds(120)), ("99999999999", .seconds(1_000_000)),
        ("Sun, 06 Nov 1994 08:49:37 GMT", .seconds(7)), ("Sun, 06 Nov 1994 08:49:00 GMT", .zero),
    ])
    func bothFormsAreRead(value: String, delay: Duration) {
        let answer = HTTPResponse(status: 503, headers: ["retry-after": value])

        #expect(answer.retryAfter(now: now) == delay)
    }

    @Test(arguments: [
        "", "-1", "soon", "1.5", "Sun, 06 Nov 1994 08:49:37 CET", "Sun, 99 Nov 1994 08:49:37 GMT",
    ])
    func anythingElseSaysNothing(value: String) {
        #expect(HTTPResponse(status: 429, headers: ["Retry-After": value]).retryAfter(now: now) == nil)
        #expect(HTTPResponse(status: 429).retryAfter(now: now) == nil)
    }

    @Test func aDateIsMeasuredByTheServersOwnClock() {
        let headers: HTTPHeaders = [
            "Retry-After": "Sun, 06 Nov 1994 08:49:37 GMT", "Date": "Sun, 06 Nov 1994 08:49:07 GMT",
        ]

        #expect(HTTPResponse(status: 503, headers: headers).retryAfter(now: Date()) == .seconds(30))
    }

    @Test(arguments: [
        (200, false), (301, false), (400, false), (401, false), (408, true), (425, true), (429, true),
    ])
    func someAnswersChangeByThemselves(status: Int, isTransient: Bool) {
        #expect(HTTPResponse(status: status).isTransient == isTransient)
    }

    @Test(arguments: [
        (500, true), (501, false), (502, true), (503, true), (504, true), (505, false), (520, true),
    ])
    func mostServerErrorsPass(status: Int, isTransient: Bool) {
        #expect(HTTPResponse(status: status).isTransient == isTransient)
        #expect(NetworkError.upgradeRefused(HTTPResponse(status: status)).isTransient == isTransient)
    }
}
