import Backend
import FoundationEssentials

/// Fetches what is missing in one conversation, step by step.
///
/// Changes come oldest first and are kept together with the cursor they reach. When more than four pages are
/// behind, the newest page is fetched and kept first, above a gap that goes with the last of the changes.
struct CatchUpJob: Sendable {
    private static let pagesAtOnce = 4

    private enum Phase {
        case fetchingFirst
        case fetchingChanges
        case fetchingNewest(next: ChangePageToken)
        /// What is kept now is on the way; then it goes on from there.
        case keeping(next: ChangePageToken)
        case completing
    }

    let conversationID: UUID
    let target: SyncCursor
    private let from: SyncCursor
    private var phase: Phase
    private var pages: [ChangePage] = []
    private var isFar = false

    /// A conversation of which nothing was fetched yet.
    init(first id: UUID, target: SyncCursor) {
        (conversationID, self.target, from, phase) = (id, target, target, .fetchingFirst)
    }

    init(changesOf id: UUID, from: SyncCursor, target: SyncCursor) {
        (conversationID, self.target, self.from, phase) = (id, target, from, .fetchingChanges)
    }

    var firstEffect: SyncEffect {
        switch phase {
        case .fetchingFirst: .fetchNewest(conversationID)
        case .fetchingChanges, .fetchingNewest, .keeping, .completing:
            .fetchChanges(conversationID, after: from, page: nil)
        }
    }

    // Each step answers what to do next; `nil` means that the job is done.

    mutating func take(_ page: ChangePage) -> SyncEffect? {
        pages.append(page)
        guard let next = page.next else {
            phase = .completing
            return .completeCatchUp(conversationID, pages, target)
        }
        if isFar {
            phase = .keeping(next: next)
            defer { pages = [] }
            return .keepChanges(conversationID, pages)
        }
        if pages.count >= Self.pagesAtOnce {
            phase = .fetchingNewest(next: next)
            return .fetchNewest(conversationID)
        }
        return .fetchChanges(conversationID, after: from, page: next)
    }

    mutating func take(newest page: [MessageChange]) -> SyncEffect? {
        switch phase {
        case .fetchingNewest(let next):
            isFar = true
            phase = .keeping(next: next)
            return .keepNewestPage(conversationID, page)
        case .fetchingFirst, .fetchingChanges, .keeping, .completing:
            phase = .completing
            return .keepFirstPage(conversationID, page, target)
        }
    }

    mutating func kept() -> SyncEffect? {
        guard case .keeping(let next) = phase else { return nil }
        if !pages.isEmpty {
            // The first four pages, which waited for the newest one.
            defer { pages = [] }
            return .keepChanges(conversationID, pages)
        }
        phase = .fetchingChanges
        return .fetchChanges(conversationID, after: from, page: next)
    }
}
