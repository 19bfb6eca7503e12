import Models

/// Why Telegram cannot be used on this machine. Everything else of Pingline runs without it.
package enum TDLibraryError: Error, Hashable, Sendable {
    /// In none of the places looked at.
    case missing
    /// At the place the user named, and cannot be loaded: damaged, of another processor, or not there.
    case unusable
    /// A library, but not this one; the name is for the log.
    case missingSymbol(String)
    /// It works, but takes other requests than we send. `nil` when it does not say its version.
    case tooOld(found: String?)

    package var userCopy: UserCopy {
        switch self {
        case .missing:
            UserCopy("Telegram needs the TDLib library.", next: "Install libtdjson or set PINGLINE_TDJSON.")
        case .unusable:
            UserCopy(
                "The TDLib library that PINGLINE_TDJSON names cannot be loaded.",
                next: "Name the libtdjson.so of this machine there.")
        case .missingSymbol:
            UserCopy(
                "The library found is not TDLib's JSON library.",
                next: "Install libtdjson or set PINGLINE_TDJSON.")
        case .tooOld(let found?):
            UserCopy(
                "TDLib \(Self.shown(found)) is too old for Pingline.",
                next: "Install version \(TDLibVersion.oldest) or a later one.")
        case .tooOld(nil):
            UserCopy(
                "This TDLib does not say its version.",
                next: "Install version \(TDLibVersion.oldest) or a later one.")
        }
    }

    /// The word comes from a file somebody installed.
    private static func shown(_ version: String) -> String {
        String(version.unicodeScalars.prefix(16).map { "0"..."9" ~= $0 ? Character($0) : "." })
    }
}
