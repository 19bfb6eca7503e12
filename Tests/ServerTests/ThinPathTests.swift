import Networking
import SupabaseWire
import Testing

@testable import Server

@Suite struct ThinPathTests {
    @Test func aMessageGoesFromOneClientToTheOther() async throws {
        try await TestServer.run { server in
            let ada = try await server.signUp("ada")
            let bo = try await server.signUp("bo_")
            let socket = try await TestSocket.open(server)
            try await socket.join("realtime:pl:\(bo.id)", token: bo.token, changes: ["messages"])
            let conversation = try await ada.open(with: [bo])

            let sent = try await ada.send("hello", to: conversation)

            let event = try await socket.next("postgres_changes")
            #expect(event["data"]?["record"] == sent)
            #expect(sent["sender_id"] == .string(ada.id))
            let page = try await bo.call(
                "GET", "/rest/v1/messages?select=*&conversation_id=eq.\(conversation)&order=created_at.desc")
            #expect(try page.json == [sent])
        }
    }
}
