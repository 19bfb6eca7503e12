@testable import Server

extension FuzzTarget {
    /// Uploads and the paths of files: a form is the same in any pieces, and no path leads out of its bucket.
    static let forms = FuzzTarget(
        "forms",
        words: [
            "\r\n--x", "--x--", "\r\n\r\n", "Content-Disposition: form-data; name=\"", "filename*=",
            "Content-Type: ", "..",
            "%2e%2e", "%2F", "%00", "/storage/v1/object/", "sign/", "public/", "authenticated/", "info/",
            "list/", "bucket/",
        ],
        seeds: {
            [
                "x\n--x\r\nContent-Disposition: form-data; name=\"a\"; filename=\"b\\\"c\"\r\nContent-Type: image/png\r\n\r\nbody\r\n--x--",
                "x\npreamble\r\n--x  \r\n\r\nno head\r\n--x\r\nA: b\r\n\r\n\r\n--x--\r\nepilogue",
                "\"q z\"\n--q z\r\n\r\na\r\n--q z--",
                "/storage/v1/object/attachments/a/b/c.png",
                "//storage/v1//object/sign/attachments/a%2Fb/../c?token=x",
                "/storage/v1/object/public/a%2Fb/c%20d", "/storage/v1/bucket/attachments",
                "/storage/v1/object/list/attachments/",
            ].map { Array($0.utf8) }
        },
        check: { input in
            input.variant & 1 == 0 && input.body.first != UInt8(ascii: "/") ? form(input) : path(input)
        })

    // MARK: Forms

    private struct Part: Equatable {
        var head: PartHead
        var bytes: [UInt8] = []
    }

    private struct Form: Equatable {
        var parts: [Part] = []
        var isComplete = false
        var isRefused = false
    }

    /// The first line is the boundary, the rest the body.
    private static func form(_ input: FuzzCase) -> String? {
        let lines = input.body.split(separator: 0x0A, maxSplits: 1, omittingEmptySubsequences: false)
        let type = "multipart/form-data; boundary=" + String(decoding: lines.first ?? [], as: UTF8.self)
        let body = lines.count > 1 ? lines[1] : []
        guard let reader = MultipartReader(contentType: type) else { return nil }
        let whole = read([body], reader)
        let other = read(input.pieces(of: body), reader)
        guard whole == other else { return "\(other) in pieces, \(whole) at once" }
        let size = whole.parts.reduce(0) { $0 + $1.bytes.count }
        return size <= body.count ? nil : "more came out than went in"
    }

    private static func read(_ pieces: [ArraySlice<UInt8>], _ reader: MultipartReader) -> Form {
        var reader = reader
        var form = Form()
        do throws(StorageFault) {
            for piece in pieces {
                try reader.take(Array(piece)) { event throws(StorageFault) in
                    switch event {
                    case .began(let head): form.parts.append(Part(head: head))
                    case .bytes(let bytes): form.parts[form.parts.count - 1].bytes += bytes
                    }
                }
            }
        } catch { form.isRefused = true }
        form.isComplete = reader.isComplete
        return form
    }

    // MARK: Paths

    private static func path(_ input: FuzzCase) -> String? {
        let target = input.text
        let method = ["GET", "POST", "PUT", "DELETE", "HEAD"][Int(input.variant >> 1) % 5]
        switch StorageRoute(method: method, target: target) {
        case .upload(let path), .download(let path, _), .info(let path, _), .sign(let path),
            .removeOne(let path):
            return object(path)
        case nil, .signMany, .list, .remove, .move, .copy, .buckets, .makeBucket, .bucket, .changeBucket,
            .removeBucket,
            .emptyBucket:
            return nil
        }
    }

    private static func object(_ text: Substring) -> String? {
        guard let path = try? ObjectPath(encoded: text) else { return nil }
        let parts = path.full.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count > 1, parts.allSatisfy({ !["", ".", ".."].contains($0) }) else {
            return "\(path.full) leads elsewhere"
        }
        guard !path.full.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) else {
            return "\(path) holds a control"
        }
        guard let again = try? ObjectPath(encoded: path.encoded[...]), again == path else {
            return "\(path.encoded) is another path than \(path)"
        }
        guard StorageRoute(method: "POST", target: "/storage/v1/object/upload-of/" + path.encoded) != nil
        else {
            return "\(path.encoded) is no path"
        }
        return path.fileName.contains("/") || path.fileName.isEmpty ? "\(path) has no file name" : nil
    }
}
