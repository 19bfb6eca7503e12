import Models

/// Why a picture is not there to be drawn.
package enum PictureError: Error, Hashable, Sendable {
    /// More bytes than are fetched without being asked for.
    case tooLarge
    /// It waits to be uploaded.
    case notThere
    /// None of the kinds that are drawn, or broken.
    case noPicture
    case tooManyPixels
    /// It was fetched, and is gone again.
    case notKept
    case save(SaveError)

    package var userCopy: UserCopy {
        switch self {
        case .tooLarge: SaveError.tooLarge(limit: 0).userCopy
        case .notThere: UserCopy("The picture is not sent yet.", next: "Wait until it is.")
        case .noPicture: UserCopy("This is no picture that can be drawn.", next: "Save it, or open it.")
        case .tooManyPixels: UserCopy("The picture is too large to draw.", next: "Save it, or open it.")
        case .notKept: UserCopy("The picture could not be kept.", next: "Look at it again.")
        case .save(let error): error.userCopy
        }
    }

    /// Nobody wants it any more: nothing to tell.
    package var isCancelled: Bool { self == .save(.cancelled) }

    init(_ error: SaveError) {
        if case .tooLarge = error { self = .tooLarge } else { self = .save(error) }
    }
}
