import CMicroHTTPD

/// Headers on their way to and from the library.
struct HeaderList {
    private(set) var all: [(name: String, value: String)] = []

    /// The headers of a request that has just begun.
    init(of request: OpaquePointer) {
        withUnsafeMutablePointer(to: &self) { list in
            pl_httpd_each_header(request, list) { context, name, value in
                guard let context, let name, let value else { return }
                context.assumingMemoryBound(to: HeaderList.self).pointee.all
                    .append((String(cString: name), String(cString: value)))
            }
        }
    }

    /// The length of the body as the headers tell it; `nil` for one that comes in chunks.
    var contentLength: Int? {
        all.first { $0.name.lowercased() == "content-length" }.flatMap { Int($0.value) }
    }

    /// Calls `body` with name, value, name, value... and a null pointer, valid only inside.
    static func withPointers(
        to headers: [(name: String, value: String)], _ body: ([UnsafePointer<CChar>?]) -> Void
    ) {
        var blob = ContiguousArray<CChar>()
        var offsets: [Int] = []
        for text in headers.flatMap({ [$0.name, $0.value] }) {
            offsets.append(blob.count)
            blob.append(contentsOf: text.utf8CString)
        }
        blob.withUnsafeBufferPointer { characters in
            body(offsets.map { offset in characters.baseAddress.map { $0 + offset } } + [nil])
        }
    }
}
