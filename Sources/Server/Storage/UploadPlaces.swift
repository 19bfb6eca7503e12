import Synchronization

/// How many uploads are under way, of all and of each user.
final class UploadPlaces: Sendable {
    private let counts = Mutex<[String: Int]>([:])
    private let limits: ServerLimits

    init(_ limits: ServerLimits) { self.limits = limits }

    /// A place, or `nil` when they are all taken.
    func take(_ caller: StorageCaller) -> UploadTicket? {
        let name = caller.userID ?? ""
        let isFree = counts.withLock { counts in
            guard counts.values.reduce(0, +) < limits.uploads,
                counts[name, default: 0] < limits.uploadsPerUser
            else { return false }
            counts[name, default: 0] += 1
            return true
        }
        return isFree ? UploadTicket(self, name) : nil
    }

    fileprivate func giveBack(_ name: String) {
        counts.withLock { counts in
            let left = (counts[name] ?? 1) - 1
            counts[name] = left > 0 ? left : nil
        }
    }
}

/// A place among the uploads; given back with the last reference.
final class UploadTicket: Sendable {
    private let places: UploadPlaces
    private let name: String

    fileprivate init(_ places: UploadPlaces, _ name: String) {
        self.places = places
        self.name = name
    }

    deinit { places.giveBack(name) }
}
