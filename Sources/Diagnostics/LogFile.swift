import Glibc
import Synchronization
import Timestamps

/// The file behind a `Log`: appended to, readable by its owner only, and at most twice `sizeLimit` on disk.
///
/// A full file becomes `<name>.1` in place of the one before it. Several processes may append to one file: a
/// line is one `write`, and who finds the file renamed by another opens the new one.
package final class LogFile: Sendable {
    private let path: String
    private let level: LogLevel
    private let sizeLimit: Int
    private let now: @Sendable () -> Int64
    private let descriptor: Mutex<Int32>

    /// Opens `directory/name`, making the directory (0700) and the file (0600) when missing. A file that
    /// others may read is closed to them.
    /// - Parameters:
    ///   - level: Lines below it are not written.
    ///   - sizeLimit: Bytes after which the file is renamed and begun anew.
    ///   - now: Microseconds since 1970, for the time of a line.
    /// - Throws: `LogError` when either cannot be made, or is a symbolic link.
    package init(
        directory: String, name: String = "pingline.log", level: LogLevel = .info, sizeLimit: Int = 1 << 20,
        now: @escaping @Sendable () -> Int64 = LogFile.systemMicroseconds
    ) throws(LogError) {
        path = directory + "/" + name
        self.level = level
        self.sizeLimit = sizeLimit
        self.now = now
        if mkdir(directory, 0o700) != 0, errno != EEXIST { throw .directory(code: errno) }
        let opened = Self.open(path)
        guard opened >= 0 else { throw .file(code: errno) }
        descriptor = Mutex(opened)
    }

    deinit {
        descriptor.withLock { if $0 >= 0 { _ = close($0) } }
    }

    /// The system's clock, in microseconds since 1970.
    package static func systemMicroseconds() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000
    }

    func write(
        _ level: LogLevel, _ subsystem: StaticString, _ event: StaticString,
        _ fields: KeyValuePairs<StaticString, LogValue>
    ) {
        guard level >= self.level else { return }
        var line = "\(TimestampText.milliseconds(now())) \(level.name) \(subsystem) \(event)"
        for (key, value) in fields { line += " \(key)=\(value.text)" }
        line += "\n"
        append(line)
    }

    private func append(_ line: String) {
        descriptor.withLock { descriptor in
            prepare(&descriptor)
            guard descriptor >= 0 else { return }
            var line = line
            // A full disk loses the line.
            _ = line.withUTF8 { Glibc.write(descriptor, $0.baseAddress, $0.count) }
        }
    }

    /// Sets a full file aside, and opens the new one when another process has done so.
    private func prepare(_ descriptor: inout Int32) {
        var named = stat()
        var held = stat()
        let isHeld =
            descriptor >= 0 && lstat(path, &named) == 0 && fstat(descriptor, &held) == 0
            && named.st_ino == held.st_ino && named.st_dev == held.st_dev
        if isHeld, held.st_size < sizeLimit { return }
        if isHeld { _ = rename(path, path + ".1") }
        if descriptor >= 0 { _ = close(descriptor) }
        descriptor = Self.open(path)
    }

    private static func open(_ path: String) -> Int32 {
        let descriptor = Glibc.open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { return -1 }
        var status = stat()
        if fstat(descriptor, &status) == 0, status.st_mode & 0o077 != 0 { _ = fchmod(descriptor, 0o600) }
        return descriptor
    }
}
