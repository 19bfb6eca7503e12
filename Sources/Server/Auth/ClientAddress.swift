import Glibc

/// Who a request is from, as far as limits go.
enum ClientAddress {
    /// The network address of the other end, or what tells it from others: an IPv6 network of 64 bits is one
    /// household, with more addresses than anybody can count.
    ///
    /// Behind a proxy it is what the proxy says, in the last entry of `X-Forwarded-For`: those before it are the
    /// client's own words. Without a proxy the header is nobody's and is not read.
    /// - Returns: `nil` when it tells nobody from another: everybody on this machine has the same.
    static func of(_ request: IncomingRequest, isBehindProxy: Bool) -> String? {
        let forwarded = isBehindProxy ? request.list("x-forwarded-for").last : nil
        return network(forwarded ?? request.peer)
    }

    static func network(_ text: String) -> String? {
        var four = in_addr()
        if inet_pton(AF_INET, text, &four) == 1 {
            return UInt32(bigEndian: four.s_addr) >> 24 == 127 ? nil : text
        }
        var six = in6_addr()
        guard inet_pton(AF_INET6, text, &six) == 1 else { return nil }
        let bytes = withUnsafeBytes(of: six) { Array($0) }
        let isMapped = bytes.prefix(10).allSatisfy { $0 == 0 } && bytes[10] == 0xFF && bytes[11] == 0xFF
        if isMapped { return network(bytes[12...].map(String.init).joined(separator: ".")) }
        if bytes.dropLast().allSatisfy({ $0 == 0 }), bytes[15] == 1 { return nil }
        return bytes.prefix(8).map { String($0, radix: 16) }.joined(separator: ":")
    }
}
