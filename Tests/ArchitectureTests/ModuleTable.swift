/// Which of our modules each module may import. `Docs/Architecture.md` draws the same as a map.
///
/// The table allows; it does not ask for anything to be used. `Diagnostics` is open to every Swift module
/// and left out of the rows. A row names everything, also what only the members of a value need
/// (`MemberImportVisibility` asks for their import).
enum ModuleTable {
    /// Facades over one C library each, and the one Swift module that may import it.
    static let facades: [String: String] = [
        "CNcurses": "NcursesTerminal",
        "CSQLite": "SQLite",
        "CCurl": "Networking",
        "CWslay": "Networking",
        "CMicroHTTPD": "Server",
        "CSodium": "Server",
        "CCrypto": "Digest",
        "CTOML": "Settings",
        "CSystem": "Programs",
        "CConcurrency": "Simulation",
        "CFaultyDisk": "Simulation",
        "CFuzz": "FuzzDriver",
    ]

    static let allowed: [String: Set<String>] = [
        // Knows nothing of chat
        "Timestamps": [],
        "Diagnostics": ["Timestamps"],
        "Addresses": [],
        "PrivateFiles": [],
        "Digest": [],
        "SQLite": [],
        "Terminal": [],
        "Programs": [],
        "SupabaseWire": ["Timestamps"],
        "Networking": ["Digest"],
        "Settings": ["Addresses", "PrivateFiles"],
        "Secrets": ["PrivateFiles"],
        // Chat
        "Models": ["Timestamps"],
        "Backend": ["Models"],
        "Store": ["Models", "SQLite"],
        "Sync": ["Models", "Backend", "Store"],
        "Attachments": ["Models", "Backend", "Digest"],
        "SupabaseBackend": [
            "Models", "Backend", "SupabaseWire", "Networking", "Secrets", "Digest", "Timestamps", "Addresses",
            "PrivateFiles",
        ],
        "TelegramBackend": ["Models", "Backend"],
        "Server": ["SupabaseWire", "Networking", "SQLite", "Digest", "Timestamps"],
        // Screen
        "ViewModels": ["Models", "Sync", "Attachments"],
        "Screens": ["Models", "ViewModels", "Terminal", "Timestamps"],
        "NcursesTerminal": ["Terminal"],
        // The program
        "Demo": ["Models", "Backend", "Server", "SupabaseBackend"],
        "Commands": ["Models", "Sync", "Settings", "Attachments", "Server"],
        "App": [
            "Models", "Backend", "Store", "Sync", "Attachments", "SupabaseBackend", "TelegramBackend",
            "Server",
            "Demo", "Commands", "ViewModels", "Screens", "Terminal", "NcursesTerminal", "Settings", "Secrets",
            "Networking", "Programs", "Digest", "Timestamps", "Addresses",
        ],
        "pingline": ["App"],
        "TestSupport": ["Models", "Backend", "Sync", "Terminal", "Timestamps"],
        "WireFixtures": ["SupabaseWire"],
        "Simulation": ["Models", "Backend", "SQLite", "Store", "Sync", "ViewModels"],
        "Fuzz": [
            "Timestamps", "Terminal", "SQLite", "SupabaseWire", "WireFixtures", "Networking", "Settings",
            "Server",
            "TelegramBackend",
        ],
        "FuzzDriver": ["Fuzz"],
    ]

    /// Modules of the system that anybody may import. `Foundation` is not among them: with its Unicode
    /// tables the program would start slower and be three times as large.
    static let system: Set<String> = [
        "Swift", "FoundationEssentials", "Glibc", "Dispatch", "Synchronization", "Observation",
    ]

    /// Modules that are arithmetic on values: no I/O, no clock, no queues.
    static let pure: Set<String> = [
        "Screens", "SupabaseWire", "Terminal", "Timestamps", "Backend", "Addresses",
    ]

    /// Modules that hold C state, the only ones that may answer for what the compiler cannot check.
    /// `TelegramBackend` reaches its library by `dlopen`, and so has no facade.
    static var wrapsC: Set<String> { Set(facades.values).union(["TelegramBackend"]) }

    /// Everything of ours that the module may import, its C libraries and `Diagnostics` included.
    static func mayImport(_ module: String) -> Set<String>? {
        guard let row = allowed[module] else { return nil }
        let libraries = facades.filter { $0.value == module }.keys
        return row.union(libraries).union(module == "Diagnostics" ? [] : ["Diagnostics"])
    }
}
