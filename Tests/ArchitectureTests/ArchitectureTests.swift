import Testing

/// The rules of the house, held against the tree as it is. `RulesTests` shows that each of them can fail.
@Suite struct ArchitectureTests {
    @Test func theTreeIsThere() throws {
        #expect(try SourceTree.files(in: "Sources", "swift").count > 50)
        #expect(try swiftFiles().contains { $0.path == "Tests/ArchitectureTests/ArchitectureTests.swift" })
    }

    @Test func everyModuleImportsOnlyWhatTheTableAllows() throws {
        #expect(try SourceTree.files(in: "Sources", "swift").flatMap(Rules.forbiddenImports) == [])
    }

    @Test func nothingImportsFoundationOrXCTest() throws {
        #expect(try swiftFiles().flatMap(Rules.forbiddenFrameworks) == [])
    }

    @Test func oneSwiftModuleImportsEachCLibrary() throws {
        var importers: [String: Set<String>] = [:]
        for file in try swiftFiles() {
            for (_, name) in Rules.imports(of: file) where ModuleTable.facades[name] != nil {
                let isTest = file.path.hasPrefix("Tests/") && file.module.hasSuffix("Tests")
                importers[name, default: []].insert(isTest ? String(file.module.dropLast(5)) : file.module)
            }
        }
        for (library, modules) in importers {
            #expect(modules.count == 1, "\(library) is imported by \(modules.sorted())")
        }
    }

    @Test func theManifestAgreesWithTheTable() throws {
        let manifest = Manifest(try SourceTree.file("Package.swift").text)
        let folders = try SourceTree.folders(in: "Sources")
        for folder in folders {
            #expect(manifest.dependencies[folder] != nil, "Package.swift has no target for Sources/\(folder)")
        }
        for (target, dependencies) in manifest.dependencies where !target.hasSuffix("Tests") {
            guard ModuleTable.facades[target] == nil else { continue }
            let allowed = try #require(ModuleTable.mayImport(target), "\(target) is not in the table")
            #expect(
                dependencies.subtracting(allowed) == [], "\(target) depends on more than the table allows")
        }
    }

    @Test func everyImportIsADependencyOfItsTarget() throws {
        let manifest = Manifest(try SourceTree.file("Package.swift").text)
        for file in try swiftFiles() {
            guard let dependencies = manifest.dependencies[file.module] else { continue }
            for (line, name) in Rules.imports(of: file) where ModuleTable.isOurs(name) {
                #expect(
                    dependencies.contains(name),
                    "\(file.path):\(line) imports \(name) behind Package.swift's back")
            }
        }
    }

    @Test func theTableHasNoCycle() {
        var done: Set<String> = []
        while let next = ModuleTable.allowed.first(where: {
            !done.contains($0.key) && $0.value.isSubset(of: done)
        }) {
            done.insert(next.key)
        }
        #expect(Set(ModuleTable.allowed.keys).subtracting(done) == [])
    }

    @Test func everyTestFolderMirrorsAModule() throws {
        let modules = try SourceTree.folders(in: "Sources")
        let others: Set = [
            "ArchitectureTests", "EndToEndTests", "TestSupport", "WireFixtures", "Simulation", "CConcurrency",
            "CFaultyDisk", "Bench", "Conformance", "Schema", "Torture", "Fuzz", "FuzzDriver", "FuzzTests",
            "CFuzz",
        ]
        for folder in try SourceTree.folders(in: "Tests").subtracting(others) {
            #expect(
                folder.hasSuffix("Tests") && modules.contains(String(folder.dropLast(5))), "Tests/\(folder)")
        }
    }

    @Test func noModuleIsADrawerForEverything() throws {
        let drawers: Set = ["Utils", "Utilities", "Helpers", "Common", "Core", "Shared", "Misc"]
        #expect(try SourceTree.folders(in: "Sources").intersection(drawers) == [])
    }

    @Test func productCodeUsesNoForbiddenWord() throws {
        let files = try SourceTree.files(in: "Sources", "swift")
        #expect(files.flatMap(Rules.forbiddenWords) == [])
        #expect(files.flatMap(Rules.uncheckedSendable) == [])
        #expect(files.flatMap(Rules.accessAcrossAwait) == [])
    }

    @Test func noKeyPathGoesThroughAnOptional() throws {
        #expect(try swiftFiles().flatMap(Rules.optionalKeyPaths) == [])
    }

    @Test func filesAndFunctionsStayBelowTheWalls() throws {
        let files = try swiftFiles()
        #expect(files.flatMap(Rules.longFunctions) == [])
        let others =
            try SourceTree.files(in: "Sources", "c", "h", "cpp") + SourceTree.files(in: "Tests", "py")
        #expect((files + others).flatMap(Rules.tooLong) == [])
    }

    @Test func theProjectSpeaksOnlyOfItself() throws {
        var files = try swiftFiles() + SourceTree.files(in: "Sources", "c", "h", "cpp")
        files += try SourceTree.files(in: "Tests", "py", "screen", "txt") + SourceTree.files(in: "Docs", "md")
        for path in ["Package.swift", "Makefile", "README.md", ".ci/run", ".ci/setup"] {
            files.append(try SourceTree.file(path))
        }
        #expect(files.flatMap(Rules.foreignWords) == [])
    }

    private func swiftFiles() throws -> [SourceFile] {
        try SourceTree.files(in: "Sources", "swift") + SourceTree.files(in: "Tests", "swift")
    }
}

extension ModuleTable {
    /// Whether the name is that of a module of this package.
    static func isOurs(_ name: String) -> Bool { allowed[name] != nil || facades[name] != nil }
}
