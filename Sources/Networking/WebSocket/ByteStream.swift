/// What one read or write on a stream of bytes came to.
enum StreamStep: Equatable {
    case moved(Int)
    case wouldBlock
    case ended
    case failed
}

/// A connected, non-blocking stream of bytes under a WebSocket. It is closed when released, so who watches
/// its descriptor must hold it until the watching has ended.
protocol ByteStream: AnyObject {
    var descriptor: Int32 { get }
    func read(into room: UnsafeMutableRawBufferPointer) -> StreamStep
    func write(_ bytes: UnsafeRawBufferPointer) -> StreamStep
    /// Tells the peer that nothing more will come, where that can be done without closing.
    func finishWriting()
}
