/// Reads `[keys]`: actions everywhere, and tables for one part of the screen (`[keys.list]`).
///
/// What it can see from the file alone it reports: names nobody knows, one key for two actions, keys that
/// terminals cannot tell apart, letters where one writes. Whether a key clashes with a default is for who has
/// the whole key table.
struct KeyTableReader {
    private let vocabulary: SettingsVocabulary
    private(set) var rebindings: [KeyRebinding] = []
    private(set) var problems: [SettingsProblem] = []

    init(_ vocabulary: SettingsVocabulary) {
        self.vocabulary = vocabulary
    }

    mutating func read(_ table: TableReader, _ entries: [TOMLNode.Entry]) {
        let everywhere = Set(vocabulary.actions.values.joined()).sorted()
        let places = vocabulary.actions.keys.sorted()
        for entry in entries {
            let path = "keys.\(TableReader.shown(entry.key))"
            if case .table(let inner) = entry.node.value {
                guard let actions = vocabulary.actions[entry.key] else {
                    let nearest = NearestName.of(entry.key, in: places)
                    report(entry.node.line, path, .unknown(nearest: nearest))
                    continue
                }
                for action in inner { read(action, in: entry.key, path: path, knowing: actions) }
            } else {
                read(entry, in: nil, path: "keys", knowing: everywhere)
            }
        }
    }

    private mutating func read(
        _ entry: TOMLNode.Entry, in place: String?, path: String, knowing actions: [String]
    ) {
        let path = "\(path).\(TableReader.shown(entry.key))"
        let line = entry.node.line
        guard actions.contains(entry.key) else {
            report(line, path, .unknown(nearest: NearestName.of(entry.key, in: actions)))
            return
        }
        guard let names = Self.names(entry.node) else {
            report(
                line, path, .wrongKind(expected: "a key in quotes, or a list of them", found: entry.node.kind)
            )
            return
        }
        var keys: [String] = []
        for name in names {
            if let reason = objection(to: name, for: entry.key, in: place) { report(line, path, reason) }
            // A key that terminals confuse or few of them send is in force all the same: it is only named.
            if isUsable(name, for: entry.key, in: place) { keys.append(name) }
        }
        guard names.isEmpty || !keys.isEmpty else { return }
        rebindings.append(KeyRebinding(place: place, action: entry.key, keys: keys, line: line))
    }

    private func objection(to name: String, for action: String, in place: String?) -> SettingsProblem.Reason?
    {
        if name.isEmpty { return .empty }
        if !vocabulary.knowsKey(name) { return .unknownKey(TableReader.shown(name)) }
        if let place, vocabulary.writingPlaces.contains(place), vocabulary.typesText(name) {
            return .typesText
        }
        if !vocabulary.isSent(name), Self.twin(of: name) == nil { return .neverSent }
        if let first = holder(of: name, besides: action, in: place) {
            return .keyTaken(action: first.action, line: first.line)
        }
        return Self.twin(of: name).map { .sameByte(as: $0) }
    }

    private func isUsable(_ name: String, for action: String, in place: String?) -> Bool {
        switch objection(to: name, for: action, in: place) {
        case nil, .sameByte, .neverSent: true
        case .some: false
        }
    }

    private func holder(of name: String, besides action: String, in place: String?) -> KeyRebinding? {
        rebindings.first { other in
            other.place == place && other.action != action
                && other.keys.contains { Self.normal($0) == Self.normal(name) }
        }
    }

    private mutating func report(_ line: Int, _ path: String, _ reason: SettingsProblem.Reason) {
        problems.append(SettingsProblem(line: line, path: path, reason: reason))
    }

    private static func names(_ node: TOMLNode) -> [String]? {
        switch node.value {
        case .string(let name): return [name.trimmed]
        case .array(let elements):
            let names = elements.compactMap { element -> String? in
                guard case .string(let name) = element.value else { return nil }
                return name.trimmed
            }
            return names.count == elements.count ? names : nil
        case .table, .integer, .real, .boolean, .other: return nil
        }
    }

    /// One spelling for the same key: modifiers and names in any case, control letters without case.
    private static func normal(_ name: String) -> String {
        name.count == 1 || isAltLetter(name) ? name : twin(of: name)?.lowercased() ?? name.lowercased()
    }

    /// `Alt-a` and `Alt-A` are two keys.
    private static func isAltLetter(_ name: String) -> Bool {
        name.count == 5 && name.lowercased().hasPrefix("alt-")
    }

    /// The key whose byte a terminal sends for this one.
    private static func twin(of name: String) -> String? {
        switch name.lowercased() {
        case "ctrl-m": "Enter"
        case "ctrl-i": "Tab"
        case "ctrl-h": "Backspace"
        case "ctrl-[": "Esc"
        default: nil
        }
    }
}
