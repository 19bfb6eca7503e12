import Glibc

/// `config.toml` on disk. Pingline reads it and never writes it.
package enum SettingsFile {
    /// Bytes; a larger file is another file.
    static let sizeLimit = 1 << 20

    /// Reads the file at `path`; none there means defaults.
    /// - Throws: `SettingsError` when it is there and cannot be used.
    package static func read(at path: String, knowing vocabulary: SettingsVocabulary)
        throws(SettingsError) -> SettingsReading
    {
        guard let text = try bytes(at: path) else { return SettingsReading() }
        return try SettingsReading(text, knowing: vocabulary)
    }

    /// `nil` when there is no such file. A pipe or a device counts as unreadable: it could block for ever.
    private static func bytes(at path: String) throws(SettingsError) -> [UInt8]? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            if errno == ENOENT { return nil }
            throw SettingsError(code: errno)
        }
        defer { _ = close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw SettingsError(code: errno) }
        switch status.st_mode & S_IFMT {
        case S_IFREG: break
        case S_IFDIR: throw .isFolder
        default: throw .unreadable(code: EINVAL)
        }
        return try contents(of: descriptor)
    }

    private static func contents(of descriptor: Int32) throws(SettingsError) -> [UInt8] {
        var all: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 16_384)
        while true {
            let count = Glibc.read(descriptor, &chunk, chunk.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw SettingsError(code: errno) }
            guard count > 0 else { return all }
            all += chunk.prefix(count)
            guard all.count <= sizeLimit else { throw .tooLarge }
        }
    }
}

extension SettingsError {
    fileprivate init(code: Int32) {
        switch code {
        case EISDIR: self = .isFolder
        case EACCES, EPERM: self = .notAllowed
        default: self = .unreadable(code: code)
        }
    }
}
