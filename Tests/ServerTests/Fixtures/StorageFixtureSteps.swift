import FoundationEssentials
import SupabaseWire
import WireFixtures

@testable import Server

/// The calls that hold the Storage door against the fixtures, in the order of a file's life.
enum StorageFixtureSteps {
    private static let folder = FixtureRoom.conversation + "/" + FixtureRoom.second
    private static let file = "attachments/\(folder)/file.png"
    private static let page = "attachments/\(folder)/page.html"

    static let all: [FixtureStep] = [
        upload(file).with { $0.sends = "storage/upload.answer" },
        // What a file's sender says of it comes in a header.
        upload("attachments/\(folder)/other.png").with {
            $0.headers.append(("x-metadata", metadata))
            $0.takes = "storage/metadata.request"
            $0.sends = "storage/upload.answer"
        },
        .get("storage/info.answer", "/storage/v1/object/info/attachments/\(folder)/other.png"),
        .post(
            "storage/list.request", "/storage/v1/object/list/attachments", like: "storage/list-folders.answer"
        ),
        FixtureStep(
            sends: "storage/list.answer", method: "POST", path: "/storage/v1/object/list/attachments",
            body: .json(["prefix": .string(folder)])),
        .post("storage/sign.request", "/storage/v1/object/sign/" + file, like: "storage/sign.answer"),
        .post("storage/sign-text.request", "/storage/v1/object/sign/" + file, like: "storage/sign.answer"),
        .post(
            "storage/sign-many.request", "/storage/v1/object/sign/attachments",
            like: "storage/sign-many.answer"),
        .get("storage/bucket.answer", "/storage/v1/bucket/attachments"),
        .get("storage/buckets.answer", "/storage/v1/bucket"),
        .post(
            "storage/bucket-new.request", "/storage/v1/bucket", like: "storage/bucket-new.answer",
            by: .service),
        refused("no-bucket", "GET", "/object/nosuch/a/b/c"),
        refused("no-object", "GET", "/object/attachments/\(folder)/none.png"),
        upload(file).with {
            $0.by = .xi
            $0.path = "/storage/v1/object/attachments/\(folder)/mine.png"
            $0.refuse("denied")
        },
        refused("token", "GET", "/object/" + file).with {
            $0.headers = [("Authorization", "Bearer eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.e30.c2ln")]
        },
        upload(file).with { $0.refuse("duplicate") },
        upload("attachments/\(folder)/large.png").with {
            $0.body = .raw(String(repeating: "x", count: 2_000))
            $0.refuse("too-large")
        },
        upload("pictures/page.html", by: .service).with {
            $0.headers = [("Content-Type", "text/html")]
            $0.refuse("type")
        },
        upload("attachments/\(folder)//b.png").with { $0.refuse("key") },
        refused(
            "url-altered", "GET", "/object/sign/\(file)?token=eyJhbGciOiJIUzI1NiJ9.e30.c2ln", by: .nobody),
        refused("range", "GET", "/object/" + file).with { $0.headers = [("Range", "bytes=90-")] },
        .post("storage/remove.request", "/storage/v1/object/attachments", like: "storage/remove.answer").with
        {
            $0.method = "DELETE"
        },
        FixtureStep(
            sends: "storage/remove-one.answer", method: "DELETE",
            path: "/storage/v1/object/attachments/\(folder)/other.png"),
    ]

    private static var metadata: String {
        // Without the fixture the header says nothing, and the list of what was held against what finds that out.
        Data((try? WireFixture.named("storage/metadata.request").bytes) ?? []).base64EncodedString()
    }

    private static func upload(_ path: String, by person: FixtureRoom.Person = .ada) -> FixtureStep {
        FixtureStep(
            method: "POST", path: "/storage/v1/object/" + path, by: person, body: .raw("picture"),
            headers: [("Content-Type", "image/png")])
    }

    private static func refused(
        _ error: String, _ method: String, _ path: String, by person: FixtureRoom.Person = .ada
    ) -> FixtureStep {
        FixtureStep(
            sends: "storage/error-\(error).answer", method: method, path: "/storage/v1" + path, by: person,
            status: 400)
    }
}

extension FixtureStep {
    fileprivate mutating func refuse(_ error: String) {
        sends = "storage/error-\(error).answer"
        status = 400
    }
}
