/// What a storage request asks for, read from its method and path.
enum StorageRoute: Sendable, Equatable {
    /// How the caller of a download shows that they may.
    enum Access: Sendable { case bearer, publicBucket, signedURL }

    /// Paths as they stand in the URL.
    case upload(Substring)
    case download(Substring, Access)
    case info(Substring, Access)
    case sign(Substring)
    case signMany(bucket: String)
    case list(bucket: String)
    case remove(bucket: String)
    case removeOne(Substring)
    case move, copy
    case buckets, makeBucket
    case bucket(String), changeBucket(String), removeBucket(String), emptyBucket(String)

    /// Whether the request is let through without a key.
    var isOpen: Bool {
        switch self {
        case .download(_, .publicBucket), .download(_, .signedURL), .info(_, .publicBucket): true
        case .upload, .download, .info, .sign, .signMany, .list, .remove, .removeOne, .move, .copy, .buckets,
            .makeBucket, .bucket, .changeBucket, .removeBucket, .emptyBucket:
            false
        }
    }

    /// - Returns: `nil` for what there is not.
    init?(method: String, target: String) {
        guard let rest = Self.path(of: target) else { return nil }
        let (door, path) = Self.split(rest)
        let found: StorageRoute? =
            switch door {
            case "object": Self.object(method, path)
            case "bucket": Self.bucket(method, path)
            default: nil
            }
        guard let found else { return nil }
        self = found
    }

    /// What follows `/storage/v1/`, as it came; slashes before it may be doubled.
    static func path(of target: String) -> Substring? {
        var rest = target.prefix { $0 != "?" }
        for word in ["storage/", "v1/"] {
            rest = rest.drop { $0 == "/" }
            guard rest.hasPrefix(word) else { return nil }
            rest = rest.dropFirst(word.count)
        }
        return rest.drop { $0 == "/" }
    }

    private static func split(_ path: Substring) -> (first: Substring, rest: Substring) {
        let end = path.firstIndex(of: "/") ?? path.endIndex
        return (path[..<end], path[end...].dropFirst())
    }

    private static func object(_ method: String, _ path: Substring) -> StorageRoute? {
        let (word, rest) = split(path)
        switch (method, word) {
        case ("POST", "list"): return .list(bucket: decoded(rest))
        case ("POST", "move"): return .move
        case ("POST", "copy"): return .copy
        case ("POST", "sign"):
            let (bucket, name) = split(rest)
            return name.isEmpty ? .signMany(bucket: decoded(bucket)) : .sign(rest)
        case ("GET", "sign"), ("HEAD", "sign"): return .download(rest, .signedURL)
        case ("GET", "public"), ("HEAD", "public"): return .download(rest, .publicBucket)
        case ("GET", "authenticated"), ("HEAD", "authenticated"): return .download(rest, .bearer)
        case ("GET", "info"), ("HEAD", "info"): return info(rest)
        case (_, "upload"), (_, "list"), (_, "move"), (_, "copy"), (_, "sign"), (_, "public"),
            (_, "authenticated"), (_, "info"):
            return nil
        case ("POST", _), ("PUT", _): return .upload(path)
        case ("GET", _), ("HEAD", _): return rest.isEmpty ? nil : .download(path, .bearer)
        case ("DELETE", _): return rest.isEmpty ? .remove(bucket: decoded(word)) : .removeOne(path)
        default: return nil
        }
    }

    private static func info(_ path: Substring) -> StorageRoute {
        let (word, rest) = split(path)
        return switch word {
        case "public": .info(rest, .publicBucket)
        case "authenticated": .info(rest, .bearer)
        default: .info(path, .bearer)
        }
    }

    private static func bucket(_ method: String, _ path: Substring) -> StorageRoute? {
        let (name, rest) = split(path)
        let id = decoded(name)
        switch (method, rest) {
        case ("GET", ""): return id.isEmpty ? .buckets : .bucket(id)
        case ("POST", ""): return id.isEmpty ? .makeBucket : nil
        case ("PUT", ""): return id.isEmpty ? nil : .changeBucket(id)
        case ("DELETE", ""): return id.isEmpty ? nil : .removeBucket(id)
        case ("POST", "empty"): return .emptyBucket(id)
        default: return nil
        }
    }

    private static func decoded(_ text: Substring) -> String {
        PercentText.decode(text.hasSuffix("/") ? text.dropLast() : text, plusIsSpace: false)
    }
}
