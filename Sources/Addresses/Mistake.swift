import FoundationEssentials

/// What people paste in place of a server's address.
enum Mistake {
    /// - Parameter word: One word, as typed.
    static func of(_ word: String) -> ServerAddressError? {
        if ProjectKey.looksLikeOne(word) { return .key }
        let lower = word.lowercased()
        if lower.hasPrefix("postgres://") || lower.hasPrefix("postgresql://") {
            return .database(project: project(before: ".supabase.co", in: lower) ?? poolerProject(in: lower))
        }
        guard let parts = URLComponents(string: word.contains("://") ? word : "https://" + word),
            let host = parts.host?.lowercased()
        else { return nil }
        if host.hasPrefix("db."), host.hasSuffix(".supabase.co") {
            return .database(project: project(before: ".supabase.co", in: host))
        }
        guard ["supabase.com", "www.supabase.com", "app.supabase.com", "app.supabase.io"].contains(host)
        else {
            return nil
        }
        let steps = parts.percentEncodedPath.split(separator: "/")
        guard let place = steps.firstIndex(of: "project"), steps.indices.contains(place + 1) else {
            return .dashboard(project: nil)
        }
        return .dashboard(project: address(of: steps[place + 1]))
    }

    /// `db.<project>.supabase.co`
    private static func project(before ending: String, in text: String) -> String? {
        guard let end = text.firstRange(of: ending)?.lowerBound else { return nil }
        return address(of: text[..<end].suffix(while: { $0 != "." }))
    }

    /// `postgres.<project>` is who signs in at a pooler.
    private static func poolerProject(in text: String) -> String? {
        guard let start = text.firstRange(of: "//postgres.")?.upperBound else { return nil }
        return address(of: text[start...].prefix { $0 != ":" && $0 != "@" })
    }

    /// A project is called by twenty small letters; whatever else stood there, a password perhaps, is not repeated.
    private static func address(of project: Substring) -> String? {
        let isOne = project.count == 20 && project.utf8.allSatisfy { (0x61...0x7A).contains($0) }
        return isOne ? "https://\(project).supabase.co" : nil
    }
}

extension Substring {
    fileprivate func suffix(while belongs: (Character) -> Bool) -> Substring {
        guard let last = lastIndex(where: { !belongs($0) }) else { return self }
        return self[index(after: last)...]
    }
}
