import Addresses

/// `config.toml` as read: what is in force, and what is not and why.
package struct SettingsReading: Sendable, Equatable {
    package var settings: Settings
    /// By line. A setting with a problem keeps its default; an account with one is left out.
    package var problems: [SettingsProblem]

    package init(settings: Settings = Settings(), problems: [SettingsProblem] = []) {
        self.settings = settings
        self.problems = problems
    }

    /// Reads the text of the file. An empty one is fine: everything has a default.
    /// - Throws: `SettingsError` when it is no TOML; then nothing of it counts.
    package init(_ text: [UInt8], knowing vocabulary: SettingsVocabulary) throws(SettingsError) {
        let root = try TOMLNode.parse(text)
        guard case .table(let entries) = root.value else {
            self.init()
            return
        }
        var table = TableReader(entries)
        var settings = Settings()
        settings.theme = table.word("theme", of: vocabulary.themes)
        settings.usesMouse = table.boolean("mouse") ?? settings.usesMouse
        settings.escapeTimeout = table.integer("esctimeout", in: 1...2_000).map { .milliseconds($0) }
        settings.caFile = Self.network(in: &table)
        let pictures = table.word("pictures", of: PictureSetting.allCases.map(\.rawValue))
        settings.pictures = pictures.flatMap(PictureSetting.init) ?? settings.pictures
        let limit = table.integer("picture_limit", in: 0...50)
        settings.pictureLimit = limit.map { Int64($0) << 20 } ?? settings.pictureLimit
        settings.accounts = Self.accounts(in: &table)
        if let (entries, line) = table.table("keys") {
            var keys = KeyTableReader(vocabulary)
            keys.read(TableReader(entries, path: "keys", line: line), entries)
            settings.keys = keys.rebindings
            table.add(keys.problems)
        }
        table.reportUnknown()
        self.init(settings: settings, problems: table.problems.sorted { $0.line < $1.line })
    }

    /// - Returns: The file of certificates for every server.
    private static func network(in table: inout TableReader) -> String? {
        guard let (entries, line) = table.table("network") else { return nil }
        var reader = TableReader(entries, path: "network", line: line)
        let file = reader.string("ca_file")?.value
        reader.reportUnknown()
        table.add(reader.problems)
        return file
    }

    private static func accounts(in table: inout TableReader) -> [AccountSettings] {
        var accounts: [AccountSettings] = []
        for (entries, path, line) in table.tables("accounts") {
            var reader = TableReader(entries, path: path, line: line)
            let account = account(in: &reader, besides: accounts)
            reader.reportUnknown()
            table.add(reader.problems)
            if let account { accounts.append(account) }
        }
        return accounts
    }

    private static func account(in table: inout TableReader, besides others: [AccountSettings])
        -> AccountSettings?
    {
        let before = table.problems.count
        let name = table.string("name")
        if let name, others.contains(where: { $0.name == name.value }) {
            table.report("name", line: name.line, .repeatedName)
        } else if name == nil, table.problems.count == before {
            table.report("name", .missing)
        }
        let isTelegram = table.word("service", of: ["supabase", "telegram"]) == "telegram"
        let service = isTelegram ? .telegram : supabase(in: &table)
        guard let name, let service, table.problems.count == before else { return nil }
        return AccountSettings(name: name.value, service: service)
    }

    private static func supabase(in table: inout TableReader) -> AccountSettings.Service? {
        let before = table.problems.count
        let allowsPlainHTTP = table.boolean("allow_plain_http") ?? false
        let caFile = table.string("ca_file")?.value
        let key = table.string("key")
        if let key, ProjectKey.isForServers(key.value) { table.report("key", line: key.line, .serviceKey) }
        let problemsBeforeURL = table.problems.count
        guard let url = table.string("url") else {
            if table.problems.count == problemsBeforeURL { table.report("url", .missing) }
            return nil
        }
        do throws(ServerAddressError) {
            let address = try ServerAddress(url.value, allowsPlainHTTP: allowsPlainHTTP)
            guard table.problems.count == before else { return nil }
            return .supabase(
                address: address, key: key?.value, allowsPlainHTTP: allowsPlainHTTP, caFile: caFile)
        } catch {
            table.report("url", line: url.line, .address(error))
            return nil
        }
    }
}
