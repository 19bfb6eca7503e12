import Dispatch

/// Runs an actor on a dispatch queue, so that the actor and the dispatch sources of its file descriptor share
/// one serial order and a source's handler may `assumeIsolated` instead of hopping.
///
/// Several actors may share one executor; then they share the order too.
package final class QueueExecutor: SerialExecutor {
    package let queue: DispatchQueue

    /// It has a thread of its own as soon as it needs one, so work on it may block.
    package init(_ label: String) {
        queue = DispatchQueue(label: label)
    }

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { @Sendable in job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }

    /// Lets `assumeIsolated` work in handlers that run on the queue.
    package func checkIsolated() {
        dispatchPrecondition(condition: .onQueue(queue))
    }
}
