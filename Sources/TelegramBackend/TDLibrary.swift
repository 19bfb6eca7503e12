import FoundationEssentials
import Glibc

/// TDLib's JSON library, loaded when the first Telegram account is opened and never unloaded: its threads may
/// outlive every client.
///
/// The five functions may be called from any thread, but `receive` from one at a time: two in it at once end
/// the process. What `receive` and `execute` return lives until the next call of either on the same thread.
package struct TDLibrary: Sendable {
    package typealias CreateClient = @convention(c) @Sendable () -> Int32
    package typealias Send = @convention(c) @Sendable (Int32, UnsafePointer<CChar>?) -> Void
    package typealias Receive = @convention(c) @Sendable (Double) -> UnsafePointer<CChar>?
    package typealias Execute = @convention(c) @Sendable (UnsafePointer<CChar>?) -> UnsafePointer<CChar>?
    package typealias LogMessage = @convention(c) @Sendable (Int32, UnsafePointer<CChar>?) -> Void
    package typealias SetLogCallback = @convention(c) @Sendable (Int32, LogMessage?) -> Void

    package let createClient: CreateClient
    package let send: Send
    package let receive: Receive
    package let execute: Execute
    package let setLogCallback: SetLogCallback
    package let version: String

    /// Finds and loads the library.
    ///
    /// - Parameters:
    ///   - override: A path the user names (`PINGLINE_TDJSON`). When set, no other place is looked at.
    ///   - executableFolder: The folder of the program itself; `../lib/pingline` beside it is looked at
    ///     before the dynamic loader's own search.
    ///   - logFile: Where the library may write; without one it is silent: the screen is not its own.
    package static func load(override: String?, executableFolder: String?, logFile: String? = nil)
        throws(TDLibraryError) -> TDLibrary
    {
        let handle = try open(override: override, executableFolder: executableFolder)
        return try TDLibrary(logFile: logFile) { dlsym(handle, $0) }
    }

    /// - Parameter resolve: Gives the address of a function by its name, `nil` when there is none.
    init(logFile: String? = nil, resolving resolve: (String) -> UnsafeMutableRawPointer?)
        throws(TDLibraryError)
    {
        func function<Function>(_ name: String, as type: Function.Type) throws(TDLibraryError) -> Function {
            guard let address = resolve(name) else { throw .missingSymbol(name) }
            return unsafeBitCast(address, to: type)
        }
        createClient = try function("td_create_client_id", as: CreateClient.self)
        send = try function("td_send", as: Send.self)
        receive = try function("td_receive", as: Receive.self)
        execute = try function("td_execute", as: Execute.self)
        setLogCallback = try function("td_set_log_message_callback", as: SetLogCallback.self)
        Self.keepOffTheScreen(execute, logFile)
        let found = Self.askVersion(execute)
        guard let found, let known = TDLibVersion(found), known.isUsable else { throw .tooOld(found: found) }
        version = found
    }

    private static func open(override: String?, executableFolder: String?)
        throws(TDLibraryError) -> UnsafeMutableRawPointer
    {
        if let override, !override.isEmpty {
            // A relative path would depend on where we happen to stand.
            guard override.hasPrefix("/"), let handle = dlopen(override, RTLD_NOW | RTLD_LOCAL) else {
                throw .unusable
            }
            return handle
        }
        let beside = executableFolder.map { $0 + "/../lib/pingline/libtdjson.so" }
        for place in [beside, "libtdjson.so"] {
            if let place, let handle = dlopen(place, RTLD_NOW | RTLD_LOCAL) { return handle }
        }
        throw .missing
    }

    /// Before anything else: by default it writes to standard error.
    private static func keepOffTheScreen(_ execute: Execute, _ logFile: String?) {
        let stream =
            logFile.map { LogStream(type: "logStreamFile", path: $0, sizeLimit: 4 << 20) }
            ?? LogStream(type: "logStreamEmpty")
        let answer = ask(execute, SetLogStream(stream: stream))
        if answer?.type != "ok" {
            _ = ask(execute, SetLogStream(stream: LogStream(type: "logStreamEmpty")))
        }
        _ = ask(execute, SetVerbosity(level: 1))
    }

    private static func askVersion(_ execute: Execute) -> String? {
        guard let answer = ask(execute, GetOption(name: "version")), answer.type == "optionValueString" else {
            return nil
        }
        return answer.value
    }

    /// The answer is copied before anything else happens on this thread. `nil` when it has no known shape.
    private static func ask(_ execute: Execute, _ request: some Encodable) -> Answer? {
        guard let bytes = try? JSONEncoder().encode(request) else { return nil }  // plain words always encode
        let answer: [UInt8]? = (Array(bytes) + [0]).withUnsafeBytes { raw in
            let text = execute(raw.baseAddress?.assumingMemoryBound(to: CChar.self))
            return text.map { Array(String(cString: $0).utf8) }
        }
        // What is no such object is as good as no answer.
        return answer.flatMap { try? JSONDecoder().decode(Answer.self, from: Data($0)) }
    }
}

private struct Answer: Decodable {
    let type: String
    let value: String?

    enum CodingKeys: String, CodingKey {
        case type = "@type"
        case value
    }
}

private struct GetOption: Encodable {
    let type = "getOption"
    let name: String

    enum CodingKeys: String, CodingKey {
        case type = "@type"
        case name
    }
}

private struct SetVerbosity: Encodable {
    let type = "setLogVerbosityLevel"
    let level: Int

    enum CodingKeys: String, CodingKey {
        case type = "@type"
        case level = "new_verbosity_level"
    }
}

private struct SetLogStream: Encodable {
    let type = "setLogStream"
    let stream: LogStream

    enum CodingKeys: String, CodingKey {
        case type = "@type"
        case stream = "log_stream"
    }
}

private struct LogStream: Encodable {
    let type: String
    var path: String?
    var sizeLimit: Int?

    enum CodingKeys: String, CodingKey {
        case type = "@type"
        case path
        case sizeLimit = "max_file_size"
    }
}
