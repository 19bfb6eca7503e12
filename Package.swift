// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

/// One folder under `Sources`, one module, one job; `Docs/Architecture.md` has the map.
func module(_ name: String, _ dependencies: [String] = [], resources: [Resource]? = nil) -> Target {
    .target(
        name: name,
        dependencies: dependencies.map { .init(stringLiteral: $0) },
        resources: resources,
        swiftSettings: strict)
}

/// A narrow C facade over one Debian library.
func facade(_ name: String, links libraries: [String] = []) -> Target {
    .target(
        name: name,
        cSettings: [.treatAllWarnings(as: .error)],
        cxxSettings: [.treatAllWarnings(as: .error)],
        linkerSettings: libraries.map { .linkedLibrary($0) })
}

/// `Tests/<Module>Tests` mirrors the module; shared fakes and examples are in `TestSupport`.
func tests(
    _ module: String, _ dependencies: [String] = [], exclude: [String] = [], resources: [Resource]? = nil
) -> Target {
    .testTarget(
        name: module + "Tests",
        dependencies: ([module] + dependencies).map { .init(stringLiteral: $0) },
        exclude: exclude,
        resources: resources,
        swiftSettings: strict)
}

let package = Package(
    name: "pingline",
    products: [.executable(name: "pingline", targets: ["pingline"])],
    targets: [
        // C facades
        facade("CNcurses", links: ["ncursesw", "tinfo"]),
        facade("CSQLite", links: ["sqlite3"]),
        facade("CCurl"),
        facade("CWslay", links: ["wslay"]),
        facade("CMicroHTTPD"),
        facade("CSodium", links: ["sodium"]),
        facade("CCrypto", links: ["crypto"]),
        facade("CTOML"),
        facade("CSystem"),

        // Knows nothing of chat
        module("Timestamps"),
        module("Diagnostics", ["Timestamps"]),
        module("Addresses"),
        module("PrivateFiles"),
        module("Digest", ["CCrypto"]),
        module("SQLite", ["CSQLite"]),
        module("Terminal"),
        module("Programs", ["CSystem", "Diagnostics"]),
        module("SupabaseWire", ["Timestamps"]),
        module("Networking", ["Digest", "Diagnostics", "CCurl", "CWslay"]),
        module("Settings", ["Addresses", "PrivateFiles", "CTOML"]),
        module("Secrets", ["PrivateFiles", "Diagnostics"]),

        // Chat
        module("Models", ["Timestamps"]),
        module("Backend", ["Models"]),
        module("Store", ["Models", "SQLite", "Diagnostics"]),
        module("Sync", ["Models", "Backend", "Store", "Diagnostics"]),
        module("Attachments", ["Models", "Backend", "Digest", "Diagnostics"]),
        module(
            "SupabaseBackend",
            [
                "Models", "Backend", "SupabaseWire", "Networking", "Secrets", "Digest", "Diagnostics",
                "Timestamps", "Addresses", "PrivateFiles",
            ]),
        module("TelegramBackend", ["Models", "Backend", "Diagnostics"]),
        module(
            "Server",
            [
                "SupabaseWire", "Networking", "SQLite", "Timestamps", "Digest", "Diagnostics",
                "CMicroHTTPD", "CSodium",
            ]),

        // Screen
        module("ViewModels", ["Models", "Sync"]),
        module("Screens", ["Models", "ViewModels", "Terminal", "Timestamps"]),
        module("NcursesTerminal", ["Terminal", "Diagnostics", "CNcurses"]),

        // The program
        module("Demo", ["Models", "Server", "SupabaseBackend", "Backend", "Diagnostics"]),
        module(
            "Commands", ["Models", "Sync", "Settings", "Server", "Diagnostics"],
            resources: [.embedInCode("schema.sql")]),
        module(
            "App",
            [
                "Models", "Backend", "Store", "Sync", "Attachments", "SupabaseBackend", "TelegramBackend",
                "Server",
                "Demo", "Commands", "ViewModels", "Screens", "Terminal", "NcursesTerminal", "Settings",
                "Secrets",
                "Networking", "Programs", "Digest", "Diagnostics", "Timestamps", "Addresses",
            ]),
        .executableTarget(name: "pingline", dependencies: ["App"], swiftSettings: strict),

        // Tests
        .target(
            name: "CConcurrency", path: "Tests/CConcurrency", cSettings: [.treatAllWarnings(as: .error)]),
        .target(
            name: "CFaultyDisk", path: "Tests/CFaultyDisk", cSettings: [.treatAllWarnings(as: .error)],
            linkerSettings: [.linkedLibrary("sqlite3")]),
        .executableTarget(
            name: "Simulation",
            dependencies: [
                "Models", "Backend", "SQLite", "Store", "Sync", "ViewModels", "CConcurrency", "CFaultyDisk",
            ],
            path: "Tests/Simulation", exclude: ["simulate.py", "bugs.py", "planted.py"],
            swiftSettings: strict + [.defaultIsolation(MainActor.self)]),
        .target(
            name: "TestSupport", dependencies: ["Models", "Backend", "Sync", "Terminal", "Timestamps"],
            path: "Tests/TestSupport",
            resources: ["T01-tie70.json", "T04-dst.json", "T09-tdsend.json"].map {
                .embedInCode("Trials/" + $0)
            },
            swiftSettings: strict),
        .target(
            name: "WireFixtures", dependencies: ["SupabaseWire"], path: "Tests/WireFixtures",
            exclude: ["JSON"], swiftSettings: strict),
        .target(
            name: "Fuzz",
            dependencies: [
                "Timestamps", "Terminal", "SQLite", "SupabaseWire", "WireFixtures", "Networking", "Settings",
                "Server",
                "TelegramBackend",
            ],
            path: "Tests/Fuzz", exclude: ["Found", "fuzz.py"], swiftSettings: strict),
        .testTarget(
            name: "FuzzTests", dependencies: ["Fuzz"], path: "Tests/FuzzTests", swiftSettings: strict),
        tests("Timestamps"),
        tests("Digest"),
        tests("Diagnostics"),
        tests("SQLite"),
        tests(
            "Terminal",
            resources: ["breaks.txt", "emoji.json", "hostile.json", "plain.json"].map {
                .embedInCode("Fixtures/" + $0)
            }),
        tests("Programs"),
        tests(
            "SupabaseWire", ["WireFixtures", "Timestamps"],
            resources: ["T77-badrows.json", "T78-dates1.json", "T80-bigids.json"].map {
                .embedInCode("Trials/" + $0)
            }),
        tests("Networking", ["Digest", "CCurl"]),
        tests("Addresses"),
        tests("PrivateFiles"),
        tests("Settings", ["Addresses"]),
        tests("Secrets", ["PrivateFiles"]),
        tests("Models", ["Timestamps"]),
        tests(
            "Store", ["TestSupport", "Models", "SQLite"],
            resources: ["T30-reactdup.json", "T31-reactvs.json"].map { .embedInCode("Trials/" + $0) }),
        tests("Sync", ["TestSupport", "Models", "Backend", "Store", "SQLite", "Programs"]),
        tests(
            "Attachments", ["TestSupport", "Models", "Backend", "Digest"],
            resources: ["T64-traversal.json", "T65-oddnames.json"].map { .embedInCode("Trials/" + $0) }),
        tests(
            "SupabaseBackend",
            [
                "TestSupport", "WireFixtures", "Models", "Backend", "SupabaseWire", "Networking", "Secrets",
                "Server", "Timestamps", "Diagnostics", "Addresses", "Digest", "Store", "Sync",
            ]),
        tests(
            "TelegramBackend", ["Models", "Backend"], resources: [.embedInCode("Trials/T33-tddelete.json")]),
        tests("Server", ["WireFixtures", "SupabaseWire", "Networking", "SQLite", "Timestamps", "Digest"]),
        tests("ViewModels", ["TestSupport", "Models", "Sync"]),
        tests("Screens", ["TestSupport", "Models", "ViewModels", "Sync", "Terminal"], exclude: ["Golden"]),
        tests("NcursesTerminal", ["Terminal", "CNcurses"]),
        tests("Demo", ["TestSupport", "Server", "Models", "Backend", "SupabaseBackend", "Digest"]),
        tests("Commands", ["Models", "Settings", "Diagnostics"]),
        tests(
            "App",
            [
                "TestSupport", "Models", "Backend", "SupabaseBackend", "Attachments", "ViewModels", "Screens",
                "Terminal", "Sync",
                "Server", "Settings", "Addresses", "Programs", "Commands", "Store", "Networking",
            ]),
        .testTarget(name: "ArchitectureTests", swiftSettings: strict),
    ],
    cxxLanguageStandard: .cxx17
)

// Only libFuzzer has a `main` for it, so it is there for `make fuzz` alone.
if Context.environment["PINGLINE_FUZZING"] != nil {
    package.targets += [
        .target(name: "CFuzz", path: "Tests/CFuzz", cSettings: [.treatAllWarnings(as: .error)]),
        .executableTarget(
            name: "FuzzDriver", dependencies: ["Fuzz", "CFuzz"], path: "Tests/FuzzDriver",
            swiftSettings: strict),
    ]
}
