import Addresses

/// What `config.toml` says, with the defaults where it says nothing.
package struct Settings: Sendable, Equatable {
    /// A name from the vocabulary; `nil` leaves the choice to the terminal.
    package var theme: String?
    package var usesMouse = false
    /// How long a lone Escape may be the beginning of a longer key; `nil` lets the program decide by the
    /// link.
    package var escapeTimeout: Duration?
    /// A file of PEM certificates to trust besides the system's, for every server; as written.
    package var caFile: String?
    package var pictures = PictureSetting.on
    /// Most bytes of a picture that is fetched without being asked for.
    package var pictureLimit: Int64 = 5 << 20
    /// In the order of the file.
    package var keys: [KeyRebinding] = []
    /// In the order of the file, names all different.
    package var accounts: [AccountSettings] = []

    package init() {}
}

/// Whether pictures are drawn in the thread.
package enum PictureSetting: String, Sendable, Equatable, CaseIterable {
    case on
    /// Each when its key is pressed.
    case ask
    case off
}

/// The keys of one action as the user wants them. They take the place of its default keys.
package struct KeyRebinding: Sendable, Equatable {
    /// The part of the screen it is for; `nil` is everywhere the action exists.
    package var place: String?
    package var action: String
    /// As written, trimmed: `Ctrl-n`, `Alt-Down`, `F2`, `g`. Empty takes all keys from the action.
    package var keys: [String]
    /// Where it stands in the file, from 1.
    package var line: Int

    package init(place: String?, action: String, keys: [String], line: Int) {
        self.place = place
        self.action = action
        self.keys = keys
        self.line = line
    }
}

/// An account the user wrote down: where it is, not who signs in.
package struct AccountSettings: Sendable, Equatable {
    package enum Service: Sendable, Equatable {
        /// - Parameters:
        ///   - key: The publishable (anon) key; `nil` where the server wants none.
        ///   - caFile: A file of PEM certificates to trust besides the system's; as written.
        case supabase(address: ServerAddress, key: String?, allowsPlainHTTP: Bool, caFile: String?)
        case telegram
    }

    /// What the screen calls it.
    package var name: String
    package var service: Service

    package init(name: String, service: Service) {
        self.name = name
        self.service = service
    }
}

/// The names that only the screen knows and the file may use.
package struct SettingsVocabulary: Sendable {
    package var themes: [String]
    /// Actions by the part of the screen that has them: `["list": ["open", …]]`.
    package var actions: [String: [String]]
    /// Parts of the screen where letters are text.
    package var writingPlaces: Set<String>
    /// Whether a key name can be understood; of several keys in a row, with blanks between, each of them.
    package var knowsKey: @Sendable (String) -> Bool
    /// Whether the first key of the name is one that types.
    package var typesText: @Sendable (String) -> Bool
    /// Whether terminals send all keys of the name.
    package var isSent: @Sendable (String) -> Bool

    package init(
        themes: [String], actions: [String: [String]], writingPlaces: Set<String> = ["composer"],
        knowsKey: @escaping @Sendable (String) -> Bool,
        typesText: @escaping @Sendable (String) -> Bool = { $0.count == 1 },
        isSent: @escaping @Sendable (String) -> Bool = { _ in true }
    ) {
        self.themes = themes
        self.actions = actions
        self.writingPlaces = writingPlaces
        self.knowsKey = knowsKey
        self.typesText = typesText
        self.isSent = isSent
    }
}
