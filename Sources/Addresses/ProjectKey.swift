import FoundationEssentials

/// The keys of a Supabase project, told apart by their shape.
package enum ProjectKey {
    /// Whether the key is for servers: row level security does not bind it, so on a client it would open everything
    /// to everybody who can read it.
    ///
    /// The newer form begins with `sb_secret_`; the older is a JWT whose role is `service_role`.
    package static func isForServers(_ key: String) -> Bool {
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

    /// Whether a word is some project's key rather than anything else people type.
    package static func looksLikeOne(_ word: String) -> Bool {
        if word.hasPrefix("sb_publishable_") || word.hasPrefix("sb_secret_") { return true }
        return word.hasPrefix("eyJ") && word.split(separator: ".").count == 3
    }

    private struct Claims: Decodable {
        let role: String?
    }
}
