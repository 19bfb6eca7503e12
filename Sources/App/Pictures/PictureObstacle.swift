import Models
import Settings
import Terminal
import ViewModels

/// Why no picture is drawn at all.
enum PictureObstacle: Equatable {
    case turnedOff
    case noColors
    case noHelper

    /// - Returns: `nil` when there is none.
    init?(_ pictures: ThreadPictures, _ helper: PictureHelper, isASCII: Bool) {
        if pictures.mode == .off {
            self = .turnedOff
        } else if isASCII || helper.depth == .none {
            self = .noColors
        } else if !helper.isInstalled {
            self = .noHelper
        } else {
            return nil
        }
    }

    var userCopy: UserCopy {
        switch self {
        case .turnedOff: UserCopy("Pictures are turned off.", next: "Open the file, or change the setting.")
        case .noColors:
            UserCopy("This terminal has no colours to draw pictures in.", next: "Open the file instead.")
        case .noHelper:
            UserCopy(
                "Pictures are drawn by chafa, which is not installed.", next: "Install it, or open the file.")
        }
    }
}

extension ThreadPictures {
    /// As the settings have it.
    init(_ settings: Settings) {
        let mode: Mode =
            switch settings.pictures {
            case .on: .on
            case .ask: .ask
            case .off: .off
            }
        self.init(mode, limit: settings.pictureLimit)
    }
}
