import FoundationEssentials

/// Tells a Supabase key for servers, which row level security does not bind, from one for clients.
enum ServiceKey {
    /// The newer form begins with `sb_secret_`; the older is a JWT whose role is `service_role`.
    static func isOne(_ key: String) -> Bool {
        if key.hasPrefix("sb_secret_") { return true }
        let parts = key.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3 else { return false }
        var payload = String(parts[1].replacing("-", with: "+").replacing("_", with: "/"))
        payload += String(repeating: "=", count: (4 - payload.count % 4) % 4)
        // What is no JSON is no such key; the server says the rest.
        guard let json = Data(base64Encoded: payload),
            let claims = try? JSONDecoder().decode(Claims.self, from: json)
        else { return false }
        return claims.role == "service_role"
    }

    private struct Claims: Decodable {
        let role: String?
    }
}
