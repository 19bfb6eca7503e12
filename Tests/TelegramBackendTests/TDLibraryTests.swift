import Glibc
import Models
import Synchronization
import Testing

@testable import TelegramBackend

@Test func aPathThatIsNotThereIsUnusableAndNothingElseIsTried() {
    #expect(throws: TDLibraryError.unusable) {
        try TDLibrary.load(override: "/nowhere/libtdjson.so", executableFolder: nil)
    }
    #expect(throws: TDLibraryError.unusable) {
        try TDLibrary.load(override: "libc.so.6", executableFolder: nil)
    }
}

@Test func anotherLibraryLacksTheFunctions() throws {
    let libc = try #require(pathOfLibc())
    #expect(throws: TDLibraryError.missingSymbol("td_create_client_id")) {
        try TDLibrary.load(override: libc, executableFolder: nil)
    }
}

@Test(arguments: [
    "td_create_client_id", "td_send", "td_receive", "td_execute", "td_set_log_message_callback",
])
func everyFunctionIsNeeded(missing: String) {
    #expect(throws: TDLibraryError.missingSymbol(missing)) {
        try FakeTDLib.load(version: "1.8.69", without: missing)
    }
}

@Test(arguments: ["1.8.65", "1.8.69", "1.8.100"])
func aLibraryThatIsNewEnoughIsTaken(version: String) throws {
    let library = try FakeTDLib.load(version: version)
    #expect(library.version == version)
    #expect(library.createClient() == 7)
}

@Test(arguments: ["1.8.64", "1.8.0", "1.7.99", "1.9.0", "2.0.0", "1.8", "", "new", "+1.8.65", "1.8.-65"])
func aLibraryOfAnotherVersionIsNot(version: String) {
    #expect(throws: TDLibraryError.tooOld(found: version)) {
        try FakeTDLib.load(version: version)
    }
}

@Test func aLibraryThatDoesNotAnswerHasNoVersion() {
    #expect(throws: TDLibraryError.tooOld(found: nil)) {
        try FakeTDLib.load(version: nil)
    }
}

@Test func theScreenIsKeptCleanBeforeAnythingIsAsked() throws {
    _ = try FakeTDLib.load(version: "1.8.70", logFile: "/log/td")
    let asked = FakeTDLib.requests.withLock { $0 }
    let redirection = try #require(asked.firstIndex { $0.contains("log\\/td") || $0.contains("log/td") })
    #expect(asked[redirection].contains("logStreamFile"))
    #expect(asked[redirection...].contains { $0.contains("getOption") })
}

@Test func theWordsSayWhatToDo() {
    #expect(
        TDLibraryError.missing.userCopy
            == UserCopy(
                "Telegram needs the TDLib library.", next: "Install libtdjson or set PINGLINE_TDJSON."))
    #expect(
        TDLibraryError.tooOld(found: "1.\u{1b}[8").userCopy.what == "TDLib 1...8 is too old for Pingline.")
}

/// The library of the machine, when the variable names one.
@Test(.enabled(if: getenv("PINGLINE_TDJSON") != nil))
func theRealLibraryIsTaken() throws {
    let path = try #require(getenv("PINGLINE_TDJSON"))
    let library = try TDLibrary.load(override: String(cString: path), executableFolder: nil)
    #expect(TDLibVersion(library.version)?.isUsable == true)
}

private func pathOfLibc() -> String? {
    [
        "/lib/x86_64-linux-gnu/libc.so.6", "/lib/aarch64-linux-gnu/libc.so.6", "/lib64/libc.so.6",
        "/lib/libc.so.6",
    ]
    .first { access($0, R_OK) == 0 }
}
