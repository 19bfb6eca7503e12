/// Lets everything else on the main actor go on until a condition holds, or the test's time is over.
@MainActor
package func until(_ condition: @escaping @MainActor () -> Bool) async {
    while !condition(), !Task.isCancelled {
        await Task.yield()
    }
}

/// Lets what is ready to run, run: for showing that nothing happens.
@MainActor
package func settle() async {
    for _ in 0..<200 { await Task.yield() }
}
