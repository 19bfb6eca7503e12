@testable import Settings

extension FuzzTarget {
    /// `config.toml`: whatever it holds, problems point into it, and what has a problem is not in force.
    static let settings = FuzzTarget(
        "settings",
        words: [
            "theme", "mouse", "esctimeout", "pictures", "picture_limit", "[[accounts]]", "[network]",
            "ca_file", "[keys.list]",
            "[keys]", "open", "name", "service", "telegram", "url", "https://", "key", "allow_plain_http",
            "true", "\"\"\"", "'''",
            "0x", "1e9", "2026-01-01", "\\u0000", "[[", "]]", "a.a.a.a.a.a.a.a",
        ],
        workPerByte: 40_000,
        seeds: {
            [
                "theme = \"dark\"\nmouse = true\nesctimeout = 25\npictures = \"off\"\npicture_limit = 5\n",
                "[[accounts]]\nname = \"home\"\nservice = \"supabase\"\nurl = \"https://example.org\"\nkey = \"k\"\n\n[[accounts]]\nname = \"home\"",
                "[keys]\nquit = [\"Ctrl-q\", \"x y\"]\n[keys.list]\nopen = \"Enter\"\n",
                "[network]\nca_file = '''/a'''\n",
                "a = [[[[[[[[1]]]]]]]]\nb = {c = {d = 1}}\n", "x = 1979-05-27T07:32:00Z\n\"\u{E9}\" = 1\n",
                "theme = 1\ntheme = 2",
            ].map { Array($0.utf8) }
        },
        check: { input in
            do throws(SettingsError) {
                let reading = try SettingsReading(input.body, knowing: vocabulary)
                return problem(in: reading, lines: lines(of: input.body))
                    ?? (again(input.body, reading) ? nil : "read twice it is not the same")
            } catch {
                return line(of: error).map { (0...lines(of: input.body)).contains($0) } ?? true
                    ? nil : "\(error) points behind the end"
            }
        })

    private static let vocabulary = SettingsVocabulary(
        themes: ["dark", "light"], actions: ["list": ["open", "quit"], "composer": ["send", "quit"]],
        knowsKey: { !$0.isEmpty && $0.utf8.count < 12 })

    private static func lines(of text: [UInt8]) -> Int { text.count { $0 == 0x0A } + 1 }

    private static func again(_ text: [UInt8], _ reading: SettingsReading) -> Bool {
        (try? SettingsReading(text, knowing: vocabulary)) == reading
    }

    private static func problem(in reading: SettingsReading, lines: Int) -> String? {
        var last = 0
        for problem in reading.problems {
            guard (0...lines).contains(problem.line), problem.line >= last else {
                return "\(problem) is out of place"
            }
            last = problem.line
        }
        let settings = reading.settings
        let names = settings.accounts.map(\.name)
        guard Set(names).count == names.count else { return "two accounts of one name" }
        guard (0...(50 << 20)).contains(settings.pictureLimit) else {
            return "pictures of \(settings.pictureLimit) bytes"
        }
        let wait = settings.escapeTimeout ?? .milliseconds(1)
        return wait >= .milliseconds(1) && wait <= .milliseconds(2_000) ? nil : "a wait of \(wait)"
    }

    private static func line(of error: SettingsError) -> Int? {
        switch error {
        case .malformed(let line, _), .duplicate(let line), .encoding(let line): line
        case .tooLarge, .isFolder, .notAllowed, .unreadable: nil
        }
    }
}
