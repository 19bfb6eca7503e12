import Dispatch

/// The dispatch sources of one descriptor.
///
/// Releasing it cancels them; whatever owns the descriptor is held until both have let go of it, so that it
/// cannot be closed, and its number reused, under a source.
final class SocketWatch {
    private let descriptor: Int32
    private let queue: DispatchQueue
    private let owner: AnyObject
    private let onWritable: @Sendable () -> Void
    private let reader: any DispatchSourceRead
    private var writer: (any DispatchSourceWrite)?
    private var isWriterSuspended = false

    /// Watches for something to read at once; for room to write only when asked.
    init(
        _ descriptor: Int32, on queue: DispatchQueue, holding owner: AnyObject,
        onReadable: @escaping @Sendable () -> Void, onWritable: @escaping @Sendable () -> Void
    ) {
        self.descriptor = descriptor
        self.queue = queue
        self.owner = owner
        self.onWritable = onWritable
        reader = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
        reader.setEventHandler(handler: onReadable)
        reader.setCancelHandler { withExtendedLifetime(owner) {} }
        reader.activate()
    }

    deinit {
        reader.cancel()
        guard let writer else { return }
        if isWriterSuspended { writer.resume() }  // a suspended source may not be released
        writer.cancel()
    }

    /// A socket nearly always has room, so its write source would fire all the time: it is on only while
    /// something waits.
    func watchForRoom(_ wanted: Bool) {
        if wanted, writer == nil {
            startWriter()
        } else if let writer, wanted == isWriterSuspended {
            isWriterSuspended = !wanted
            if wanted { writer.resume() } else { writer.suspend() }
        }
    }

    private func startWriter() {
        let source = DispatchSource.makeWriteSource(fileDescriptor: descriptor, queue: queue)
        source.setEventHandler(handler: onWritable)
        source.setCancelHandler { [owner] in withExtendedLifetime(owner) {} }
        source.activate()
        writer = source
    }
}
