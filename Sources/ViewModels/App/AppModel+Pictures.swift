import Models

extension AppModel {
    /// Says which pictures are drawn, in this thread and those to come.
    /// - Parameter obstacle: Why none is, when none is.
    package func draw(_ pictures: ThreadPictures, obstacle: UserCopy? = nil) {
        self.pictures = pictures
        pictureObstacle = obstacle
        thread?.draw(pictures)
    }

    /// Draws the picture of the picked message, or of the last one that has one; or puts it away.
    /// - Parameter isMissing: Whether a picture that should be there could not be drawn unasked.
    package func togglePicture(isMissing: (Attachment) -> Bool = { _ in false }) {
        guard let thread else { return }
        if let pictureObstacle {
            show(Notice(pictureObstacle))
            return
        }
        let state = thread.state
        let message =
            state.selectedMessage ?? state.window.messages.last { state.pictures.showing($0) != .none }
        guard let message, let picture = message.attachment, state.pictures.showing(message) != .none else {
            show(Notice("There is no picture here."))
            return
        }
        thread.togglePicture(of: message, isMissing: isMissing(picture))
    }
}
