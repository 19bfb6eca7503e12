import Glibc
import Synchronization

@testable import TelegramBackend

/// The five functions of the library. They capture nothing, as C wants it; what they answer hangs on the
/// task.
enum FakeTDLib {
    @TaskLocal private static var version: String?
    /// All that was asked, of all tests.
    static let requests = Mutex<[String]>([])
    /// Answers live as long as the process: a few bytes a test.
    private static let kept = Mutex<[UInt]>([])

    /// - Parameters:
    ///   - version: What it says it is; `nil` answers nothing at all.
    ///   - missing: A function it does not have.
    static func load(version: String?, without missing: String? = nil, logFile: String? = nil)
        throws(TDLibraryError) -> TDLibrary
    {
        let result = $version.withValue(version) {
            Result { () throws(TDLibraryError) in
                try TDLibrary(logFile: logFile) { $0 == missing ? nil : address(of: $0) }
            }
        }
        return try result.get()
    }

    private static func address(of name: String) -> UnsafeMutableRawPointer? {
        switch name {
        case "td_create_client_id": raw({ 7 } as TDLibrary.CreateClient)
        case "td_send": raw({ _, _ in } as TDLibrary.Send)
        case "td_receive": raw({ _ in nil } as TDLibrary.Receive)
        case "td_set_log_message_callback": raw({ _, _ in } as TDLibrary.SetLogCallback)
        case "td_execute": raw({ FakeTDLib.answer($0) } as TDLibrary.Execute)
        default: nil
        }
    }

    private static func answer(_ request: UnsafePointer<CChar>?) -> UnsafePointer<CChar>? {
        guard let version else { return nil }
        let text = request.map { String(cString: $0) } ?? ""
        requests.withLock { $0.append(text) }
        let isQuestion = text.contains("getOption")
        let answer = isQuestion ? #"{"@type":"optionValueString","value":"\#(version)"}"# : #"{"@type":"ok"}"#
        let start = strdup(answer)
        kept.withLock { $0.append(UInt(bitPattern: start)) }
        return UnsafePointer(start)
    }

    private static func raw<Function>(_ function: Function) -> UnsafeMutableRawPointer? {
        unsafeBitCast(function, to: UnsafeMutableRawPointer?.self)
    }
}
