import FoundationEssentials
import Testing

@testable import Networking

@Suite(
    .timeLimit(.minutes(1)),
    .enabled(if: TLSServer.isInstalled(TLSServer.nghttpd) && TLSServer.isInstalled(TLSServer.openssl)))
struct HTTP2Tests {
    @Test func manyRequestsShareOneConnection() async throws {
        let server = try TLSServer(.nghttpd)
        let client = HTTPClient(NetworkConfiguration(trust: Trust(file: server.certificate)))
        let request = HTTPRequest(.get, server.url + "certificate.pem")
        let expected = try Data(contentsOf: URL(filePath: server.certificate))
        #expect(try await TLSServer.send(request, client).body == expected)

        try await withThrowingTaskGroup { group in
            for _ in 0..<50 {
                group.addTask {
                    let answer = try await client.send(request)
                    #expect(answer.status == 200 && answer.body == expected)
                    #expect(answer.headers["server"]?.contains("nghttp") == true)
                }
            }
            try await group.waitForAll()
        }

        #expect(StubServer.clientSockets(to: server.port) == 1)
    }

    @Test func cancellingOneRequestLeavesTheOthers() async throws {
        let server = try TLSServer(.nghttpd)
        let client = HTTPClient(NetworkConfiguration(trust: Trust(file: server.certificate)))
        let request = HTTPRequest(.get, server.url + "certificate.pem")
        _ = try await TLSServer.send(request, client)

        let outcomes = await withTaskGroup(of: Bool.self) { group in
            for number in 0..<40 {
                group.addTask {
                    let task = Task { try await client.send(request).status }
                    if number.isMultiple(of: 2) { task.cancel() }
                    switch await task.result {
                    case .success(let status): return status == 200
                    case .failure(let error): return number.isMultiple(of: 2) && error is NetworkError
                    }
                }
            }
            return await group.reduce(into: [Bool]()) { $0.append($1) }
        }

        #expect(outcomes.allSatisfy { $0 })
        #expect(try await client.send(request).status == 200)
    }

    @Test func aBodyIsSentOverHTTP2() async throws {
        let server = try TLSServer(.nghttpd)
        let client = HTTPClient(NetworkConfiguration(trust: Trust(file: server.certificate)))
        let body = Data(repeating: 7, count: 1 << 20)
        let request = HTTPRequest(.post, server.url + "certificate.pem", body: .bytes(body))

        #expect(try await TLSServer.send(request, client).isSuccess)
    }
}
