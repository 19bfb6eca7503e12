/// What the `Prefer` headers of a request ask (RFC 7240, with PostgREST's words).
struct Preferences: Sendable, Equatable {
    enum Returned: String, Sendable {
        case minimal, representation
        case headersOnly = "headers-only"
    }
    enum Resolution: String, Sendable {
        case mergeDuplicates = "merge-duplicates"
        case ignoreDuplicates = "ignore-duplicates"
    }

    var returned: Returned?
    var resolution: Resolution?
    /// In bulk inserts a missing key takes the column's default instead of null.
    var missingIsDefault = false
    var isCounted = false
    /// What was understood, as it was written, for `Preference-Applied`.
    private(set) var applied: [String] = []

    /// - Throws: `PGRST122` for an unknown preference when strict handling is one of them.
    init(_ list: [String]) throws(Refusal) {
        var unknown: [String] = []
        for preference in list {
            if read(preference) { applied.append(preference) } else { unknown.append(preference) }
        }
        guard !list.contains("handling=strict") || unknown.isEmpty else {
            throw Refusal(
                400, "PGRST122", "Invalid preferences given with handling=strict",
                details: "Invalid preferences: " + unknown.joined(separator: ", "))
        }
    }

    private mutating func read(_ preference: String) -> Bool {
        let halves = preference.split(separator: "=", maxSplits: 1).map(String.init)
        guard halves.count == 2 else { return false }
        switch halves[0] {
        case "return":
            guard let value = Returned(rawValue: halves[1]) else { return false }
            returned = value
        case "resolution":
            guard let value = Resolution(rawValue: halves[1]) else { return false }
            resolution = value
        case "missing":
            guard ["default", "null"].contains(halves[1]) else { return false }
            missingIsDefault = halves[1] == "default"
        case "count":
            guard ["exact", "planned", "estimated"].contains(halves[1]) else { return false }
            isCounted = true
        case "handling": return ["strict", "lenient"].contains(halves[1])
        default: return false
        }
        return true
    }
}

/// What the `Accept` header asks for.
struct MediaType: Sendable, Equatable {
    enum Shape: Sendable { case array, object, csv }

    var shape = Shape.array
    var stripsNulls = false

    /// The first type that we have.
    /// - Throws: `PGRST107` when there is none.
    init(accept: [String]) throws(Refusal) {
        guard !accept.isEmpty else { return }
        for entry in accept {
            let parts = entry.split(separator: ";").map { $0.trimmingSpaces().lowercased() }
            guard let name = parts.first, let shape = Self.shape(name) else { continue }
            self.shape = shape
            stripsNulls = parts.contains("nulls=stripped")
            return
        }
        throw Refusal(
            406, "PGRST107", "None of these media types are available: " + accept.joined(separator: ", "))
    }

    var contentType: String {
        let nulls = stripsNulls ? ";nulls=stripped" : ""
        return switch shape {
        case .array: stripsNulls ? "application/vnd.pgrst.array+json\(nulls); charset=utf-8" : Self.plain
        case .object: "application/vnd.pgrst.object+json\(nulls); charset=utf-8"
        case .csv: "text/csv; charset=utf-8"
        }
    }

    static let plain = "application/json; charset=utf-8"

    private static func shape(_ name: String) -> Shape? {
        switch name {
        case "*/*", "application/*", "application/json", "application/vnd.pgrst.array+json",
            "application/vnd.pgrst.array":
            .array
        case "application/vnd.pgrst.object+json", "application/vnd.pgrst.object": .object
        case "text/csv": .csv
        default: nil
        }
    }
}
