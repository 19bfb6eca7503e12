import Glibc
import Testing

@testable import Programs

@Suite(.timeLimit(.minutes(1)))
struct MachineWatchTests {
    /// Setting the clock to what it shows is a setting all the same. It takes a privilege.
    private static func setClock() -> Bool {
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        return clock_settime(CLOCK_REALTIME, &now) == 0
    }

    @Test(.enabled(if: setClock(), "may not set the clock")) func aSetClockIsTold() async throws {
        let changes = MachineWatch.changes()
        #expect(Self.setClock())
        #expect(await changes.first { _ in true } == .clock)
    }

    @Test func whoStopsReadingLeavesNoDescriptorBehind() async throws {
        let before = Self.descriptors()
        for _ in 0..<50 {
            let reader = Task { for await _ in MachineWatch.changes() {} }
            reader.cancel()
            await reader.value
        }
        while Self.descriptors() > before + 10 { await Task.yield() }
    }

    private static func descriptors() -> Int {
        (0..<1_024).count { fcntl($0, F_GETFD) >= 0 }
    }
}
