import Screens
import Settings
import Terminal

extension SettingsVocabulary {
    /// The names this program's screen knows, for `config.toml`.
    static let pingline = SettingsVocabulary(
        themes: Theme.allCases.map(\.rawValue), actions: [:], knowsKey: { Key($0) != nil })
}
