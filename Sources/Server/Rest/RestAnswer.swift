/// Prints what a REST call came to.
struct RestAnswer {
    let media: MediaType
    let preferences: Preferences

    /// Rows of a read or of a function that answers a set.
    func rows(_ answer: Reader.Answer, offset: Int, isHead: Bool) throws(Refusal) -> Answer {
        let count = answer.rows.count
        let range = count == 0 ? "*" : "\(offset)-\(offset + count - 1)"
        var status = 200
        var header = "\(range)/*"
        if let total = answer.total {
            header = "\(range)/\(total)"
            if offset > total {
                var refusal = ReadQuery.outOfRange(
                    "An offset of \(offset) was requested, but there are only \(total) rows.")
                refusal.contentRange = "*/\(total)"
                throw refusal
            }
            if count < total { status = 206 }
        }
        return try body(answer.rows, status: status, contentRange: header, isHead: isHead)
    }

    /// Rows as they were written, or nothing, as `Prefer: return` asks.
    func written(_ rows: [OutputRow], status: Int) throws(Refusal) -> Answer {
        try body(rows, status: status, contentRange: "*/*", isHead: false)
    }

    /// Nothing to show.
    func empty(_ status: Int, location: String? = nil) -> Answer {
        var headers = applied
        headers.append(("Content-Range", "*/*"))
        if let location { headers.append(("Location", location)) }
        return Answer(status, headers: headers)
    }

    /// A function's scalar.
    func scalar(_ json: String) -> Answer {
        var answer = Answer.json(200, json)
        answer.headers += applied
        return answer
    }

    private func body(_ rows: [OutputRow], status: Int, contentRange: String, isHead: Bool) throws(Refusal)
        -> Answer
    {
        let text = RowText(stripsNulls: media.stripsNulls)
        var answer = Answer(status, headers: [("Content-Type", media.contentType)])
        answer.headers.append(("Content-Range", contentRange))
        answer.headers += applied
        switch media.shape {
        case .array: answer.body = text.json(rows)
        case .csv: answer.body = text.csv(rows)
        case .object:
            guard rows.count == 1 else { throw Self.notOneRow(rows.count) }
            answer.body = text.json(rows[0])
            answer.status = status == 206 ? 200 : status
        }
        if isHead { answer.body = [] }
        return answer
    }

    private var applied: [(name: String, value: String)] {
        guard !preferences.applied.isEmpty else { return [] }
        return [("Preference-Applied", preferences.applied.joined(separator: ", "))]
    }

    static func notOneRow(_ count: Int) -> Refusal {
        Refusal(
            406, "PGRST116", "Cannot coerce the result to a single JSON object",
            details: "The result contains \(count) rows")
    }

    /// The body and headers of a refusal.
    static func refusal(_ refusal: Refusal, isAnonymous: Bool) -> Answer {
        var writer = JSONText()
        writer.raw("{\"code\":")
        writer.string(refusal.code)
        writer.raw(",\"details\":")
        if let choices = refusal.choices { writer.raw(choices) } else { writer.optional(refusal.details) }
        writer.raw(",\"hint\":")
        writer.optional(refusal.hint)
        writer.raw(",\"message\":")
        writer.string(refusal.message)
        writer.raw("}")
        var status = refusal.status
        var headers = [(name: "Proxy-Status", value: "PostgREST; error=\(refusal.code)")]
        if refusal.code == "42501", isAnonymous {
            status = 401
            headers.append(("WWW-Authenticate", "Bearer"))
        } else if status == 401 {
            let words = refusal.message.filter { $0 != "\"" && $0 != "\\" }
            headers.append(
                ("WWW-Authenticate", "Bearer error=\"invalid_token\", error_description=\"\(words)\""))
        }
        if let range = refusal.contentRange { headers.append(("Content-Range", range)) }
        return .json(status, writer.text, headers: headers)
    }
}

extension JSONText {
    /// Adds a string, or null.
    mutating func optional(_ text: String?) {
        if let text { string(text) } else { raw("null") }
    }
}
