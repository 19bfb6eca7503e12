import Testing

/// Each rule on samples that break it and on near misses that do not.
@Suite struct RulesTests {
    private func file(_ text: String, in module: String = "Screens") -> SourceFile {
        SourceFile(path: "Sources/\(module)/Sample.swift", text: text)
    }

    @Test(arguments: [
        ("Screens", "import CNcurses"), ("Screens", "import Glibc"), ("Sync", "import SQLite"),
        ("Sync", "package import Networking"), ("Server", "import Models"),
        ("Models", "import struct Store.Row"),
        ("Sync", "@testable import SupabaseBackend"), ("Networking", "import CSQLite"),
        ("Diagnostics", "import Models"),
        ("Screens", "import Unheard"), ("Unheard", "let a = 1"),
    ])
    func anImportOutsideTheTableIsFound(module: String, text: String) {
        #expect(Rules.forbiddenImports(file(text, in: module)).count == 1)
    }

    @Test(arguments: [
        ("Screens", "import ViewModels"), ("Sync", "import Store"), ("Networking", "import CCurl"),
        ("Server", "import Glibc"), ("Backend", "import Diagnostics"), ("Screens", "// import CNcurses"),
        ("Screens", "let text = \"\"\"\nimport CNcurses\n\"\"\""),
    ])
    func anImportInsideTheTableIsNone(module: String, text: String) {
        #expect(Rules.forbiddenImports(file(text, in: module)) == [])
    }

    @Test(arguments: [
        "import Foundation", "import XCTest", "@preconcurrency import CCurl",
        "import class Foundation.Thread",
    ])
    func aForbiddenFrameworkIsFound(text: String) {
        #expect(Rules.forbiddenFrameworks(file(text)).count == 1)
    }

    @Test func foundationEssentialsIsNotFoundation() {
        #expect(Rules.forbiddenFrameworks(file("import FoundationEssentials")) == [])
    }

    @Test(arguments: [
        "public struct A {}", "public static func a() {}", "open class A {}", "fatalError()",
        "preconditionFailure(\"\")",
        "let a = try! b()", "let a = b as! C", "let a = b!", "a!.b()", "f(a!)", "a[0]!.b", "let a: Int!",
        "x = \"a\"!",
    ])
    func aForbiddenWordIsFound(text: String) {
        #expect(Rules.forbiddenWords(file(text)).isEmpty == false)
    }

    @Test(arguments: [
        "a != b", "if !a {}", "let a = \"public struct!\"", "// try! this",
        "/* a /* fatalError() */ b! */ let c = 1",
        "let a = #\"try! \"quoted\" \"#", "let a = \"b \\(c(\"d!\")) e!\"", "publicKey()",
    ])
    func aNearMissIsNone(text: String) {
        #expect(Rules.forbiddenWords(file(text)) == [])
    }

    @Test func uncheckedSendableIsLeftToWrappersOfC() {
        let text = "final class A: @unchecked Sendable {}"
        #expect(Rules.uncheckedSendable(file(text, in: "Sync")).count == 1)
        #expect(Rules.uncheckedSendable(file(text, in: "SQLite")) == [])
        #expect(Rules.uncheckedSendable(file("nonisolated(unsafe) var a = 1", in: "Models")).count == 1)
    }

    @Test func anAccessInPlaceMayNotWait() {
        #expect(Rules.accessAcrossAwait(file("threads[id]?.setGap(try await store.gap(id))")).count == 1)
        #expect(Rules.accessAcrossAwait(file("threads[id].setGap(await store.gap(id))")).count == 1)
        #expect(Rules.accessAcrossAwait(file("self?.take(await open())")).count == 1)
        #expect(Rules.accessAcrossAwait(file("await threads[id]?.setGap(gap)")) == [])
    }

    @Test(arguments: [#"a.map(\.b?.c)"#, #"a.map(\A.b.c?.d)"#, #"a.map(\.[0]?.b)"#, #"a.map(\.b!.c)"#])
    func aKeyPathThroughAnOptionalIsFound(text: String) {
        #expect(Rules.optionalKeyPaths(file(text)).count == 1)
    }

    @Test(arguments: [
        #"a.map(\.b.c)"#, "a.map { $0.b?.c }", #"a?.map(\.b) ?? c"#, #"a ? \.b : \.c"#, #"let a = "\(b?.c)""#,
    ])
    func otherPathsToAnOptionalAreNone(text: String) {
        #expect(Rules.optionalKeyPaths(file(text)) == [])
    }

    @Test func aFileOverTheWallIsFound() {
        let line = "let a = 1\n"
        #expect(Rules.tooLong(file(String(repeating: line, count: Rules.fileWall))) == [])
        #expect(Rules.tooLong(file(String(repeating: line, count: Rules.fileWall + 1))).count == 1)
    }

    @Test func aFunctionOverTheWallIsFound() {
        let body = String(repeating: "    if a {\n        b()\n    }\n", count: 20)
        #expect(Rules.longFunctions(file("func long(_ a: () -> Void = {}) {\n\(body)}\n")).map(\.line) == [1])
        #expect(Rules.longFunctions(file("init() {\n\(body)}\n")).count == 1)
        let short = String(repeating: "    if a {\n        b()\n    }\n", count: 19)
        #expect(Rules.longFunctions(file("func short() {\n\(short)}\n")) == [])
    }

    @Test func aFlatSwitchMayPassTheWall() {
        let cases = String(repeating: "    case .a: b { $0 }\n", count: 70)
        #expect(Rules.longFunctions(file("func table() {\n    switch a {\n\(cases)    }\n}\n")) == [])
    }

    @Test func requirementsHaveNoBody() {
        let text =
            "protocol P {\n    func a() async throws -> Int\n    init(b: Int)\n    var c: Int { get }\n}\nfunc d() {}\n"
        #expect(FunctionScan(SwiftCode(text)).functions.map(\.name) == ["func d"])
    }

    @Test func foreignWordsAreFoundInCommentsToo() {
        #expect(Rules.foreignWords(file("// TO" + "DO: later")).count == 1)
        #expect(Rules.foreignWords(file("// To do something later")) == [])
    }

    @Test func theManifestIsReadInItsForms() {
        let manifest = Manifest(
            """
            func module(_ name: String, _ dependencies: [String] = []) -> Target {}
                facade("CCurl", links: ["curl"]),
                module("Timestamps"),
                // module("Gone", ["Models"]),
                module(
                    "Store",
                    [
                        "Models", "SQLite",
                    ]),
                .executableTarget(name: "pingline", dependencies: ["App"], swiftSettings: strict),
                tests("Store", ["TestSupport"]),
            """)
        #expect(
            manifest.dependencies == [
                "CCurl": [], "Timestamps": [], "Store": ["Models", "SQLite"], "pingline": ["App"],
                "StoreTests": ["Store", "TestSupport"],
            ])
    }
}
