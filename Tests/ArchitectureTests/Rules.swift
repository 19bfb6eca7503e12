/// The rules a single file can break. Each is a pure function of a file, so that each is tested on bad samples.
enum Rules {
    static let fileWall = 400
    static let functionWall = 60

    /// Names imported by the file, in any form of the declaration, with their lines.
    static func imports(of file: SourceFile) -> [(line: Int, name: String)] {
        file.codeLines.enumerated().compactMap { index, line in
            let words = line.split(whereSeparator: { $0 == " " || $0 == "." })
            // Attributes and an access level may stand before it, nothing else.
            guard let keyword = words.firstIndex(of: "import"),
                words[..<keyword].allSatisfy({ $0.hasPrefix("@") || $0 == "package" || $0 == "private" })
            else { return nil }
            let kinds: Set<Substring> = [
                "struct", "class", "enum", "protocol", "func", "var", "let", "typealias",
            ]
            guard let name = words[(keyword + 1)...].first(where: { !kinds.contains($0) }) else { return nil }
            return (index + 1, String(name))
        }
    }

    /// What the file imports against the table.
    static func forbiddenImports(_ file: SourceFile) -> [Finding] {
        guard let ours = ModuleTable.mayImport(file.module) else {
            return [Finding(file, 1, "the module \(file.module) is not in the table")]
        }
        let system = ModuleTable.pure.contains(file.module) ? ["FoundationEssentials"] : ModuleTable.system
        return imports(of: file).filter { !ours.contains($0.name) && !system.contains($0.name) }
            .map { Finding(file, $0.line, "\(file.module) may not import \($0.name)") }
    }

    /// Frameworks nobody imports, tests included.
    static func forbiddenFrameworks(_ file: SourceFile) -> [Finding] {
        imports(of: file).filter { ["Foundation", "XCTest", "FoundationNetworking"].contains($0.name) }
            .map { Finding(file, $0.line, "imports \($0.name)") }
            + file.findings(matching: /@preconcurrency\s+import/, "turns off concurrency checking")
    }

    /// Words of the language that product code does without.
    static func forbiddenWords(_ file: SourceFile) -> [Finding] {
        file.findings(
            matching:
                /\b(?:public|open)\s+(?:\w+\s+)*(?:func|var|let|struct|class|enum|actor|protocol|init|extension)\b/,
            "is wider than package")
            + file.findings(
                matching: /\b(?:fatalError|preconditionFailure|assertionFailure)\s*\(/, "ends the program")
            + file.findings(matching: /\b(?:try|as)!/, "traps instead of throwing")
            + file.findings(matching: /[\w\])"]!(?:[\].,:;?)}\s]|$)/, "unwraps by force")
            + file.findings(
                matching: /\.unsafelyUnwrapped\b/, "skips a check of the language")
    }

    /// `@unchecked Sendable` and its kin, outside of the modules that wrap C.
    static func uncheckedSendable(_ file: SourceFile) -> [Finding] {
        guard !ModuleTable.wrapsC.contains(file.module) else { return [] }
        return file.findings(
            matching: /@unchecked\b|nonisolated\(unsafe\)|\.assumingMemoryBound\b/,
            "answers for what only a C wrapper may")
    }

    /// A value in place, such as an entry of an actor's dictionary, must not stay open for writing while the actor
    /// waits: others change the dictionary meanwhile, and the write goes to memory that moved.
    static func accessAcrossAwait(_ file: SourceFile) -> [Finding] {
        file.findings(
            matching: /[\])\w]\?\.\w+\([^\n]*\bawait\b|\]\.\w+\([^\n]*\bawait\b/,
            "waits inside an access in place")
    }

    /// The standard library (Swift 6.3) walks a key path in a buffer that has no room for the byte an `Optional` may
    /// add to a value, and copies over its end. Optimised code goes without the walk, a debug build does not.
    static func optionalKeyPaths(_ file: SourceFile) -> [Finding] {
        file.findings(
            matching: /\\\w*\.[\w.\[\]]*[?!]/,
            "goes through an Optional in a key path; a closure can")
    }

    static func tooLong(_ file: SourceFile) -> [Finding] {
        let count = file.text.split(separator: "\n", omittingEmptySubsequences: false).count - 1
        return count > fileWall ? [Finding(file, count, "is longer than \(fileWall) lines")] : []
    }

    static func longFunctions(_ file: SourceFile) -> [Finding] {
        FunctionScan(file.code).functions.filter { $0.lineCount > functionWall && !$0.isFlat }
            .map { Finding(file, $0.line, "\($0.name) has \($0.lineCount) lines") }
    }

    /// Notes to oneself, and names of things outside of this repository.
    static func foreignWords(_ file: SourceFile) -> [Finding] {
        // Written in two halves, or this list would find itself.
        let words = [
            "TO" + "DO", "FIX" + "ME", "XX" + "X:", "for " + "now", "not yet " + "implemented", "/wo" + "rk/",
            "style" + ".md", "design" + ".md", "swift-linux" + ".md", "supabase" + ".md", "keymap" + ".md",
            "tdlib" + ".md", "term" + "drive", "Clau" + "de", "Chat" + "GPT",
        ]
        return file.lines.enumerated().flatMap { index, line in
            words.filter { line.contains($0) }.map { Finding(file, index + 1, "says “\($0)”") }
        }
    }
}
