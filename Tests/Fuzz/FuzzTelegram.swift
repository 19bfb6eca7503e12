import Glibc
import Synchronization

@testable import TelegramBackend

extension FuzzTarget {
    /// What TDLib answers before there is a client: no answer makes it a version that it is not.
    static let telegram = FuzzTarget(
        "telegram",
        words: [
            #""@type""#, #""optionValueString""#, #""value""#, #""ok""#, #"\u0031"#, "1.8.65", "null", "[",
            "{",
        ],
        workPerByte: 40_000,
        seeds: {
            [
                #"{"@type":"optionValueString","value":"1.8.65"}"#,
                #"{"@type":"optionValueString","value":"1.8.99","x":[{}]}"#,
                #"{"@type":"error","code":400,"message":"no"}"#,
                #"{"@type":"optionValueString","value":null}"#, "[1,2]", "",
                #"{"@type":"optionValueString","value":"+1.8.065"}"#, #"{"value":1,"@type":"ok"}"#,
            ].map { Array($0.utf8) }
        },
        check: { input in
            do throws(TDLibraryError) {
                let library = try AnsweringTDLib.load(answering: input.body)
                return problem(library.version, input.body)
            } catch {
                guard case .tooOld(let found) = error else { return "\(error) with every function there" }
                guard let found, let version = TDLibVersion(found) else { return nil }
                return version.isUsable ? "\(found) is refused" : nil
            }
        })

    private static func problem(_ version: String, _ answer: [UInt8]) -> String? {
        let parts = version.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3,
            parts.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy { (0x30...0x39).contains($0) } })
        else { return "\(version.debugDescription) passes for a version" }
        guard let read = TDLibVersion(version), read >= .oldest else { return "\(version) is too old" }
        return answer.isEmpty ? "a version came of nothing" : nil
    }
}

/// A library whose every answer is the same, whatever it is asked.
private enum AnsweringTDLib {
    /// The answer in force, as C wants it: it lives until the next one.
    private struct Answer: @unchecked Sendable {
        var start: UnsafeMutablePointer<CChar>?
    }

    private static let answer = Mutex(Answer())

    static func load(answering bytes: [UInt8]) throws(TDLibraryError) -> TDLibrary {
        let start = UnsafeMutablePointer<CChar>.allocate(capacity: bytes.count + 1)
        for (index, byte) in bytes.enumerated() { start[index] = CChar(bitPattern: byte) }
        start[bytes.count] = 0
        answer.withLock { $0.start = start }
        defer {
            answer.withLock { $0.start = nil }
            start.deallocate()
        }
        return try TDLibrary { address(of: $0) }
    }

    private static func address(of name: String) -> UnsafeMutableRawPointer? {
        switch name {
        case "td_create_client_id": raw({ 7 } as TDLibrary.CreateClient)
        case "td_send": raw({ _, _ in } as TDLibrary.Send)
        case "td_receive": raw({ _ in nil } as TDLibrary.Receive)
        case "td_set_log_message_callback": raw({ _, _ in } as TDLibrary.SetLogCallback)
        case "td_execute":
            raw({ _ in AnsweringTDLib.answer.withLock { UnsafePointer($0.start) } } as TDLibrary.Execute)
        default: nil
        }
    }

    private static func raw<Function>(_ function: Function) -> UnsafeMutableRawPointer? {
        unsafeBitCast(function, to: UnsafeMutableRawPointer?.self)
    }
}
