/// Leads a request to its door.
struct Router: Sendable {
    let gate: Gate
    let auth: AuthDoor
    let rest: RestDoor
    let realtime: RealtimeDoor
    let storage: StorageDoor
    let health: @Sendable () async -> String

    /// - Parameter sink: What took the body, when it was streamed.
    func end(_ request: IncomingRequest, sink: (any BodySink)?) async -> Ending {
        if request.method == "OPTIONS" { return .answer(Self.preflight(request)) }
        if request.path == ["health"] { return .answer(.json(200, await health())) }
        guard request.path.count >= 2, request.path[1] == "v1" else { return .answer(Self.unknown) }
        let path = Array(request.path.dropFirst(2))
        switch request.path[0] {
        case "auth":
            let isOpen = path == ["health"] || path.first == ".well-known"
            if !isOpen, let refusal = gate.refusal(request) { return .answer(refusal) }
            return .answer(await auth.answer(request, path: path))
        case "rest":
            if let refusal = gate.refusal(request) { return .answer(refusal) }
            return .answer(await rest.answer(request, path: path))
        case "storage": return await storage.end(request, sink: sink)
        case "realtime": return await realtime.end(request, path: path)
        default: return .answer(Self.unknown)
        }
    }

    private static let unknown = Answer.json(
        404, #"{"statusCode":"404","error":"not_found","message":"no Route matched with those values"}"#)

    /// Browsers ask before they call; a terminal client never does.
    private static func preflight(_ request: IncomingRequest) -> Answer {
        guard request.header("origin") != nil else { return Answer(204) }
        return Answer(
            204,
            headers: [
                ("Access-Control-Allow-Origin", "*"),
                ("Access-Control-Allow-Methods", "GET,HEAD,PUT,PATCH,POST,DELETE,OPTIONS"),
                ("Access-Control-Allow-Headers", request.header("access-control-request-headers") ?? "*"),
            ])
    }
}
