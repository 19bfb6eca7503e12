import SupabaseWire

/// URLs that open one object for whoever has them, until a moment. The token says which object and how long.
extension StorageDoor {
    /// Seconds; more is cut.
    private static let longestLife: Int64 = 10 * 365 * 86_400

    func sign(_ request: IncomingRequest, _ path: ObjectPath, _ caller: StorageCaller)
        async throws(StorageFault) -> Answer
    {
        let life = try Self.life(try members(request))
        let object = try await visible(path, caller)
        return .json(200, JSONValue.object(["signedURL": .string(url(object.path, life))]).jsonText)
    }

    func signMany(_ request: IncomingRequest, _ bucket: String, _ caller: StorageCaller)
        async throws(StorageFault) -> Answer
    {
        let members = try members(request)
        let life = try Self.life(members)
        guard let names = members["paths"]?.array?.map(\.string), names.count <= limits.objectsPerCall else {
            throw .invalidRequest("body/paths must be array")
        }
        guard buckets[bucket] != nil else { throw .noBucket }
        let asked = names.map { name in (name: name ?? "", path: Self.path(bucket, name ?? "")) }
        let found = try await read { session throws(Refusal) in
            var found: Set<ObjectPath> = []
            for path in asked.compactMap(\.path) where try session.mayRead(path, caller) {
                if try session.object(path) != nil { found.insert(path) }
            }
            return found
        }
        let answers = asked.map { one -> JSONValue in
            guard let path = one.path, found.contains(path) else {
                return [
                    "path": .string(one.name), "signedURL": .null,
                    "error": "Either the object does not exist or you do not have access to it",
                ]
            }
            return ["path": .string(one.name), "signedURL": .string(url(path, life)), "error": .null]
        }
        return .json(200, JSONValue.array(answers).jsonText)
    }

    /// A name that is no key is just not there.
    static func path(_ bucket: String, _ name: String) -> ObjectPath? {
        try? ObjectPath(bucket: bucket, name: name)
    }

    /// When the token that comes with the request ends, in seconds since 1970.
    func signedEnd(_ request: IncomingRequest, _ path: ObjectPath) throws(StorageFault) -> Int64 {
        guard let token = request.query["token"] else {
            throw .invalidRequest("querystring must have required property 'token'")
        }
        let claims: Claims
        do { claims = try gate.signer.verify(token) } catch {
            throw .urlToken(error == .malformed ? "Invalid Compact JWS" : "signature verification failed")
        }
        guard let end = claims.expiresAt, end > now() / 1_000_000 else {
            throw .urlToken("\"exp\" claim timestamp check failed")
        }
        guard claims.url == path.full else { throw .urlOfAnother }
        return end
    }

    /// Without the host and `/storage/v1`, which the client puts before it.
    private func url(_ path: ObjectPath, _ life: Int64) -> String {
        let issued = now() / 1_000_000
        let token = gate.signer.sign([
            "url": .string(path.full), "iat": .integer(issued), "exp": .integer(issued + life),
        ])
        return "/object/sign/\(path.encoded)?token=\(token)"
    }

    /// Seconds, as a number or, from some clients, a text.
    private static func life(_ members: [String: JSONValue]) throws(StorageFault) -> Int64 {
        let value = members["expiresIn"]
        let seconds = value?.integer ?? value?.string.flatMap { Int64($0) }
        guard let seconds, seconds > 0 else {
            throw .invalidRequest("body/expiresIn must be a positive integer")
        }
        return min(seconds, longestLife)
    }
}
