import Glibc
import Synchronization

/// A held lock. It ends with `release`, with its owner, and with the process, however that ends.
package final class SecretLock: Sendable {
    private let descriptor: Mutex<Int32?>

    init(_ descriptor: Int32) {
        self.descriptor = Mutex(descriptor)
    }

    deinit {
        release()
    }

    package func release() {
        descriptor.withLock { held in
            if let open = held {
                // Said in so many words: a child between its fork and its exec has the descriptor too.
                _ = flock(open, LOCK_UN)
                _ = close(open)
            }
            held = nil
        }
    }
}
