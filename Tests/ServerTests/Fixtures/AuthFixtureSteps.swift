import SupabaseWire
import WireFixtures

@testable import Server

/// The calls that hold the Auth door, and what stands before all doors, against the fixtures.
enum AuthFixtureSteps {
    private static let version = ("X-Supabase-Api-Version", "2024-01-01")
    private static let token = "/auth/v1/token?grant_type="

    static let all: [FixtureStep] = [
        .post("auth/sign-up.request", "/auth/v1/signup", like: "auth/session.answer", by: .nobody).with {
            $0.words = { _ in ["ada@example": "eve@example"] }
        },
        .post("auth/sign-up-official.request", "/auth/v1/signup", like: "auth/session.answer", by: .nobody)
            .with {
                $0.words = { _ in ["ada@example": "fay@example"] }
            },
        .post("auth/sign-in.request", token + "password", like: "auth/session.answer", by: .nobody),
        .post("auth/refresh.request", token + "refresh_token", like: "auth/session.answer", by: .nobody).with
        {
            $0.words = { ["k3x9q2m7t1za": $0.ada.refreshToken] }
        },
        .get("auth/user.answer", "/auth/v1/user"),
        FixtureStep(
            takes: "auth/user-names.request", sends: "auth/user.answer", method: "PUT", path: "/auth/v1/user"),
        FixtureStep(
            takes: "auth/user-password.request", sends: "auth/user.answer", method: "PUT",
            path: "/auth/v1/user"
        ),
        wrong("auth/error.answer", "wrong horse", [version]),
        wrong("auth/error-unversioned.answer", "wrong horse", []),
        weak("auth/error-weak-password.answer", [version]),
        weak("auth/error-weak-password-unversioned.answer", []),
        .get("auth/health.answer", "/auth/v1/health"),
        .get("auth/settings.answer", "/auth/v1/settings"),
        .get("auth/keys.answer", "/auth/v1/.well-known/jwks.json"),
        .get("gateway/no-key.answer", "/rest/v1/profiles", status: 401).with {
            $0.headers = [("apikey", "")]
        },
        .get("gateway/unknown-key.answer", "/rest/v1/profiles", status: 401).with {
            $0.headers = [("apikey", "sb_publishable_of_another")]
        },
        .get("gateway/health.answer", "/health", by: .nobody),
    ]

    private static func wrong(_ sends: String, _ password: String, _ headers: [(String, String)])
        -> FixtureStep
    {
        FixtureStep(
            sends: sends, method: "POST", path: token + "password", by: .nobody,
            body: .json(["email": "ada@example.test", "password": .string(password)]), headers: headers,
            status: 400
        )
    }

    private static func weak(_ sends: String, _ headers: [(String, String)]) -> FixtureStep {
        FixtureStep(
            sends: sends, method: "POST", path: "/auth/v1/signup", by: .nobody,
            body: .json(["email": "gus@example.test", "password": "abc"]), headers: headers, status: 422)
    }
}
