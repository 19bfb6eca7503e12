import FoundationEssentials
import Models
import Terminal
import ViewModels

/// The last frame, and what its parts were drawn from: the next frame is drawn on it, and a part that would look the
/// same stays as it is. A letter typed into the composer then costs the composer's rows.
struct Canvas {
    private var frame: Frame?
    private var layout: PaneLayout?
    var title = Part<TitleKey>()
    var list = Part<ListPaneKey>()
    var thread = Part<ThreadPaneKey>()

    /// What a part of the frame was drawn from.
    struct Part<Key: Equatable> {
        private var key: Key?

        /// Whether the part was drawn from an equal key; from now on it counts as drawn from this one.
        mutating func isDrawn(from key: Key) -> Bool {
            if self.key == key { return true }
            self.key = key
            return false
        }
    }

    /// The frame to draw on, without a cursor. Blank when nothing of the last one can stay.
    mutating func take(_ size: Size, _ layout: PaneLayout) -> Frame {
        guard var frame, frame.size == size, self.layout == layout, !frame.isCrowded else {
            self = Canvas()
            self.layout = layout
            return Frame(size: size)
        }
        self.frame = nil  // drawn on in place
        frame.cursor = nil
        return frame
    }

    mutating func keep(_ frame: Frame) { self.frame = frame }
}

/// All that the rows above and below the panes depend on.
struct TitleKey: Equatable {
    var look: TitleLook
    var banner: BannerState
    var account: String?
    var notice: Notice?
    var glyphs: Glyphs
}

/// All that the rows of the list depend on.
struct ListKey: Equatable {
    var state: ConversationListState
    var top: Int
    var size: Size
    var open: ConversationRef?
    var isFocused: Bool
    var present: Set<UUID>
    var today: Int
    var glyphs: Glyphs
}

/// All that the list's pane depends on, but for the filter's row.
struct ListPaneKey: Equatable {
    var rows: ListKey
    /// The keys go to the list, or would without a popup.
    var isFocused: Bool
}

/// All that the rows of the thread depend on.
struct ThreadKey: Equatable {
    var state: ThreadState
    var size: Size
    var today: Int
    var glyphs: Glyphs
    var pictures: PictureContext?
}

/// All that the thread's pane depends on, but for the composer.
struct ThreadPaneKey: Equatable {
    var rows: ThreadKey
    var hint: ComposerHint?
    var isFocused: Bool
    var isPicking: Bool
}
