import Commands
import Diagnostics
import FoundationEssentials
import Glibc
import Settings
import Testing

/// What `pingline serve` says when it cannot start.
@Suite struct ServeCommandTests {
    /// Runs it until it ends by itself; its exit code and what it complained of.
    private func run(_ change: (inout ServeArguments) -> Void) async throws -> (ExitCode, String) {
        let path = FileManager.default.temporaryDirectory.path + "/pingline-" + UUID().uuidString
        defer { try? FileManager.default.removeItem(atPath: path) }  // the system empties it anyway
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        var arguments = ServeArguments()
        arguments.port = 0
        arguments.directory = path + "/data"
        change(&arguments)
        let errors = open(path + "/errors", O_RDWR | O_CREAT, 0o600)
        defer { close(errors) }
        let command = ServeCommand(
            arguments, directories: Directories(under: path),
            console: Console(output: errors, errors: errors), log: .silent)
        let code = await command.run()
        let text = try String(contentsOfFile: path + "/errors", encoding: .utf8)
        return (code, text)
    }

    /// Whoever sets a hosted project up from the program gets what is documented, to the last byte.
    @Test func theSchemaItPrintsIsThatOfTheDocumentation() async throws {
        let root = URL(filePath: #filePath).resolvingSymlinksInPath().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().path
        let documented = try String(contentsOfFile: root + "/Docs/supabase/schema.sql", encoding: .utf8)
        let (code, printed) = try await run { $0.printsSchema = true }
        #expect(code == .done)
        #expect(printed == documented)
    }

    /// A socket that listens on a free port of the loopback interface.
    private func takenPort() throws -> (socket: Int32, port: UInt16) {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(INADDR_LOOPBACK).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                _ = bind(listener, $0, size)
                _ = listen(listener, 1)
                _ = getsockname(listener, $0, &size)
            }
        }
        return (listener, UInt16(bigEndian: address.sin_port))
    }

    @Test func aTakenPortIsNamed() async throws {
        let (socket, port) = try takenPort()
        defer { close(socket) }
        let (code, text) = try await run { $0.port = port }
        #expect(code == .unavailable)
        #expect(text.contains("Port \(port) of 127.0.0.1 is taken"))
        #expect(text.contains("--port"))
    }

    @Test func anAddressOfAnotherMachineIsNamed() async throws {
        let (code, text) = try await run {
            $0.host = "192.0.2.1"
            $0.isBehindProxy = true
        }
        #expect(code == .system)
        #expect(text.contains("192.0.2.1 is no address of this machine"))
    }

    @Test func aHostThatIsNoAddressIsWrongUsage() async throws {
        let (code, text) = try await run { $0.host = "example.test" }
        #expect(code == .usage)
        #expect(text.contains("example.test"))
    }

    @Test func listeningWiderWithoutAskingIsWrongUsage() async throws {
        let (code, text) = try await run { $0.host = "0.0.0.0" }
        #expect(code == .usage)
        #expect(text.contains("0.0.0.0"))
    }

    @Test func aDirectoryThatCannotBeMadeIsNamed() async throws {
        let (code, text) = try await run { arguments in
            let file = (arguments.directory ?? "") + ".file"
            close(open(file, O_WRONLY | O_CREAT, 0o600))
            arguments.directory = file + "/data"
        }
        #expect(code == .inputOutput)
        #expect(text.contains(".file/data cannot be used"))
    }

    /// A directory on which even the owner of everything may not write.
    @Test func aDirectoryThatCannotBeWrittenIsNamed() async throws {
        let (code, text) = try await run { $0.directory = "/proc/self/pingline" }
        #expect(code == .inputOutput)
        #expect(text.contains("/proc/self/pingline cannot be used"))
    }

    @Test func aDamagedDatabaseIsNamedAndLeftAsItIs() async throws {
        let damaged = Array("this was a database once".utf8) + [UInt8](repeating: 7, count: 8_192)
        var file = ""
        let (code, text) = try await run { arguments in
            let directory = arguments.directory ?? ""
            mkdir(directory, 0o700)
            file = directory + "/server.sqlite"
            let descriptor = open(file, O_WRONLY | O_CREAT, 0o600)
            _ = damaged.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
            close(descriptor)
        }
        #expect(code == .inputOutput)
        #expect(text.contains("\(file) is damaged"))
        #expect(text.contains("backup"))
    }

    @Test func moreClientsThanFilesAreRefused() async throws {
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        try #require(limit.rlim_max < 100_000)
        let (code, text) = try await run { $0.sockets = 100_000 }
        #expect(code == .system)
        #expect(text.contains("--sockets"))
    }
}
