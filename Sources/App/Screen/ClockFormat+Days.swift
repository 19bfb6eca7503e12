import FoundationEssentials
import Screens
import ViewModels

extension ClockFormat {
    /// Calls `begin` each time another local day has begun, until the task is cancelled.
    ///
    /// A sleep that ends early, or a clock that was set back, costs a call too many and another second.
    @MainActor
    func followDays(_ time: Timekeeper, begin: @MainActor () -> Void) async {
        while !Task.isCancelled {
            let now = time.now()
            let wait = nextDay(after: now).timeIntervalSince(now)
            do { try await time.sleep(.seconds(max(wait, 1))) } catch { return }
            begin()
        }
    }
}
