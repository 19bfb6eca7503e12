import Screens
import Settings
import Terminal

extension SettingsVocabulary {
    /// The names this program's screen knows, for `config.toml`.
    static let pingline = SettingsVocabulary(
        themes: Theme.allCases.map(\.rawValue), actions: Keymap.settingNames,
        writingPlaces: Set(KeyContext.allCases.filter(\.isForWriting).map(\.settingName)),
        knowsKey: { Key.sequence($0) != nil },
        typesText: { Key.sequence($0)?.first?.typed != nil },
        isSent: { Key.sequence($0)?.allSatisfy(\.isSent) ?? false })
}

extension SettingsReading {
    /// The keys with what the file says about them. What the key tables do not take joins the problems.
    mutating func makeKeymap() -> Keymap {
        let rebindings = settings.keys
        let changes = rebindings.map { rebinding in
            KeyChange(
                place: rebinding.place, action: rebinding.action,
                keys: rebinding.keys.compactMap { Key.sequence($0) })
        }
        let (keymap, objections) = Keymap.standard(changedBy: changes)
        problems += objections.map { rebindings[$0.change].problem($0.reason) }
        problems.sort { $0.line < $1.line }
        return keymap
    }
}

extension KeyRebinding {
    fileprivate func problem(_ reason: KeyObjection.Reason) -> SettingsProblem {
        let path = ["keys", place, action].compactMap { $0 }.joined(separator: ".")
        let found: SettingsProblem.Reason =
            switch reason {
            case .taken(let key, let holder, let place):
                .keyBuiltIn(key: key, action: holder, place: place)
            case .typesText: .typesText
            case .needed: .keyNeeded
            }
        return SettingsProblem(line: line, path: path, reason: found)
    }
}

extension Key {
    /// Reads the keys of one way to press something: `Ctrl-n`, `d d`. At most three.
    fileprivate static func sequence(_ name: String) -> [Key]? {
        let words = name.split(separator: " ")
        let keys = words.compactMap { Key(String($0)) }
        return (1...3).contains(words.count) && keys.count == words.count ? keys : nil
    }
}
