import FoundationEssentials

/// Bodies as they came over the wire, from `Fixtures`.
struct Body: Decodable, Sendable {
    let body: String
    /// The cells the body takes, without the `|` at its end; `nil` where nothing is claimed.
    let expectedCells: Int?
    let note: String?

    static let hostile = decode(PackageResources.hostile_json)
    static let emoji = decode(PackageResources.emoji_json)
    static let plain = decode(PackageResources.plain_json)

    private static func decode(_ bytes: [UInt8]) -> [Body] {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        do {
            return try decoder.decode([Body].self, from: Data(bytes))
        } catch {
            return []  // a test that counts the rows fails
        }
    }
}
