import CMicroHTTPD
import Synchronization

/// A connection that left HTTP. The descriptor belongs to the daemon: it is closed through `close` alone.
///
/// Unchecked because of the handle, which is only ever passed back to the library, and once.
final class UpgradedSocket: @unchecked Sendable {
    let descriptor: Int32
    /// Bytes that came behind the request.
    let initialBytes: [UInt8]
    private let handle: UnsafeMutableRawPointer
    private let isOpen = Atomic<Bool>(true)

    init(descriptor: Int32, initialBytes: [UInt8], handle: UnsafeMutableRawPointer) {
        self.descriptor = descriptor
        self.initialBytes = initialBytes
        self.handle = handle
    }

    deinit { close() }

    /// Closes the descriptor. Nobody may read, write or watch it any more. A second call does nothing.
    func close() {
        guard isOpen.exchange(false, ordering: .acquiringAndReleasing) else { return }
        pl_httpd_close_upgraded(handle)
    }
}
