import Glibc
import Testing

@testable import Settings

@Test func theXDGVariablesSayWhereThingsAre() throws {
    let places = try Directories(environment: [
        "XDG_CONFIG_HOME": "/c", "XDG_DATA_HOME": "/d", "XDG_STATE_HOME": "/s", "XDG_CACHE_HOME": "/k",
        "XDG_RUNTIME_DIR": "/r",
    ])
    #expect(places.settingsFile == "/c/pingline/config.toml")
    #expect(places.account("7") == "/d/pingline/accounts/7")
    #expect(places.state == "/s/pingline")
    #expect(places.cache == "/k/pingline")
    #expect(places.runtime == "/r/pingline")
}

@Test func withoutThemTheyAreBelowHome() throws {
    let places = try Directories(environment: [
        "HOME": "/home/ana", "XDG_DATA_HOME": "relative", "XDG_CACHE_HOME": "",
    ])
    #expect(places.config == "/home/ana/.config/pingline")
    #expect(places.data == "/home/ana/.local/share/pingline")
    #expect(places.state == "/home/ana/.local/state/pingline")
    #expect(places.cache == "/home/ana/.cache/pingline")
    #expect(places.runtime == "/home/ana/.local/state/pingline/run")
}

@Test func withoutAHomeItIsAnErrorWithWords() {
    #expect(throws: DirectoryError.homeUnset) { try Directories(environment: [:]) }
    #expect(throws: DirectoryError.homeUnset) { try Directories(environment: ["HOME": ""]) }
    #expect(DirectoryError.homeUnset.next == "Set HOME to your home folder and start again.")
}

@Test func missingFoldersAreMadeForTheOwnerOnly() throws {
    try withTemporaryFolder { base throws in
        let places = try Directories(environment: ["HOME": base + "/new/home"])
        #expect(try places.prepare() == [])
        for path in [places.config, places.data, places.state, places.cache, places.runtime] {
            #expect(mode(path) == 0o700)
        }
        #expect(mode(base + "/new/home/.config") == 0o700)
    }
}

@Test func aFolderOpenToOthersIsClosedAndReported() throws {
    try withTemporaryFolder { base throws in
        let places = Directories(under: base)
        _ = try places.prepare()
        chmod(places.data, 0o755)
        #expect(try places.prepare() == [places.data])
        #expect(mode(places.data) == 0o700)
        #expect(try places.prepare() == [])
    }
}

@Test func aFileInTheFoldersPlaceIsNamed() throws {
    try withTemporaryFolder { base throws in
        try write("", to: base + "/config")
        #expect(throws: DirectoryError.notAFolder(path: base + "/config")) {
            try Directories(under: base).prepare()
        }
    }
}

@Test func aLinkToAFolderOfOursIsFollowed() throws {
    try withTemporaryFolder { base throws in
        mkdir(base + "/dotfiles", 0o755)
        symlink(base + "/dotfiles", base + "/config")
        #expect(try Directories(under: base).prepare() == [base + "/config"])
        #expect(mode(base + "/dotfiles") == 0o700)
    }
}

@Test func aSettingsFileOpenToOthersIsClosedAndReported() throws {
    try withTemporaryFolder { base throws in
        let places = Directories(under: base)
        #expect(try places.prepare() == [])
        try write("mouse = true", to: base + "/elsewhere.toml")
        chmod(base + "/elsewhere.toml", 0o644)
        symlink(base + "/elsewhere.toml", places.settingsFile)
        #expect(try places.prepare() == [places.settingsFile])
        #expect(mode(base + "/elsewhere.toml") == 0o600)
        #expect(try places.prepare() == [])
    }
}

@Test func aSettingsFileThatIsNoneStopsNothing() throws {
    try withTemporaryFolder { base throws in
        let places = Directories(under: base)
        _ = try places.prepare()
        mkdir(places.settingsFile, 0o755)
        #expect(try places.prepare() == [])
        rmdir(places.settingsFile)
        symlink(base + "/nowhere", places.settingsFile)
        #expect(try places.prepare() == [])
    }
}

@Test func aMissingSettingsFileMeansDefaultsAndAFolderIsNamed() throws {
    try withTemporaryFolder { base throws in
        let vocabulary = SettingsVocabulary(themes: [], actions: [:], knowsKey: { _ in true })
        #expect(try SettingsFile.read(at: base + "/none.toml", knowing: vocabulary) == SettingsReading())
        #expect(throws: SettingsError.isFolder) { try SettingsFile.read(at: base, knowing: vocabulary) }
        mkfifo(base + "/pipe", 0o600)
        #expect(throws: SettingsError.unreadable(code: EINVAL)) {
            try SettingsFile.read(at: base + "/pipe", knowing: vocabulary)
        }
        try write("mouse = true", to: base + "/config.toml")
        let reading = try SettingsFile.read(at: base + "/config.toml", knowing: vocabulary)
        #expect(reading.settings.usesMouse)
        try write(String(repeating: "#", count: SettingsFile.sizeLimit + 1), to: base + "/huge.toml")
        #expect(throws: SettingsError.tooLarge) {
            try SettingsFile.read(at: base + "/huge.toml", knowing: vocabulary)
        }
    }
}
