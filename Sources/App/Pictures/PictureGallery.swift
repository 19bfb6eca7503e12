import Observation
import Screens
import Terminal

/// The pictures on the screen: has those drawn that are seen, two at a time, and lets go of those that are not.
///
/// A wish that nobody has any more is cancelled, be it a fetch or a run of the helper. What was drawn is kept while
/// there is room, so that scrolling back draws nothing; what failed is forgotten as soon as it is out of sight, and
/// tried anew when it comes back.
@MainActor @Observable
final class PictureGallery {
    private(set) var album = PictureAlbum()

    @ObservationIgnored private let draw: @Sendable (PictureWish) async -> PictureAlbum.Entry?
    @ObservationIgnored private var wishes: [PictureWish] = []
    @ObservationIgnored private var works: [PictureKey: Task<Void, Never>] = [:]
    /// Of what is in the album; the last was wanted last.
    @ObservationIgnored private var order: [PictureKey] = []

    /// Pictures drawn at a time.
    static let workLimit = 2
    /// Cells of all pictures kept: some hundred on a usual screen, and a few megabytes.
    static let cellLimit = 100_000

    /// - Parameter draw: Finds out what becomes of a wish; `nil` when it was cancelled.
    init(_ draw: @escaping @Sendable (PictureWish) async -> PictureAlbum.Entry?) { self.draw = draw }

    /// Says which pictures are seen, most of all the last.
    func want(_ wishes: [PictureWish]) {
        guard wishes != self.wishes else { return }
        self.wishes = wishes
        let wanted = Set(wishes.map(\.key))
        for (key, work) in works where !wanted.contains(key) { work.cancel() }
        forgetFailures(but: wanted)
        order.removeAll { wanted.contains($0) }
        order += album.entries.keys.filter { wanted.contains($0) }
        startWork()
    }

    /// Ends everything; returns when no helper runs any more.
    func close() async {
        want([])
        for work in Array(works.values) { await work.value }
    }

    private func startWork() {
        for wish in wishes.reversed() where works.count < Self.workLimit {
            let key = wish.key
            guard album.entries[key] == nil, works[key] == nil else { continue }
            works[key] = Task { [weak self, draw] in
                let entry = await draw(wish)
                self?.finish(key, entry)
            }
        }
    }

    private func finish(_ key: PictureKey, _ entry: PictureAlbum.Entry?) {
        works[key] = nil
        let isWanted = wishes.contains { $0.key == key }
        if let entry, isWanted || entry.isLasting {
            album.entries[key] = entry
            order.append(key)
            makeRoom()
        }
        startWork()
    }

    private func forgetFailures(but wanted: Set<PictureKey>) {
        let failed = album.entries.filter { !$0.value.isLasting && !wanted.contains($0.key) }
        guard !failed.isEmpty else { return }
        for key in failed.keys { album.entries[key] = nil }
        order.removeAll { failed[$0] != nil }
    }

    private func makeRoom() {
        var cells = album.entries.values.reduce(0) { $0 + $1.cellCount }
        let wanted = Set(wishes.map(\.key))
        while cells > Self.cellLimit, let place = order.firstIndex(where: { !wanted.contains($0) }) {
            cells -= album.entries.removeValue(forKey: order.remove(at: place))?.cellCount ?? 0
        }
    }
}

extension PictureAlbum.Entry {
    /// Trying again would change nothing.
    fileprivate var isLasting: Bool { if case .failed = self { false } else { true } }

    fileprivate var cellCount: Int {
        if case .drawn(let mosaic) = self { mosaic.size.columns.cells * mosaic.size.rows } else { 0 }
    }
}
