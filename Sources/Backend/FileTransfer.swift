import FoundationEssentials
import Models

/// Told the bytes that have moved so far, a few times a second and from any thread.
package typealias FileProgress = @Sendable (_ bytes: Int64) -> Void

/// A whole local file on its way to the service, for a message that is not there yet.
package struct FileUpload: Sendable, Hashable {
    package var messageID: UUID
    package var conversationID: UUID
    /// Absolute. Nobody changes the file while it waits.
    package var localPath: String
    /// The user's name for it.
    package var name: String
    package var mimeType: String
    /// Bytes.
    package var size: Int64
    /// Of its content: lower-case hexadecimal.
    package var sha256: String
    /// An earlier try may have brought it: the service is asked before the bytes are sent again.
    package var wasTried: Bool

    package init(
        messageID: UUID, conversationID: UUID, localPath: String, name: String, mimeType: String, size: Int64,
        sha256: String, wasTried: Bool = false
    ) {
        self.messageID = messageID
        self.conversationID = conversationID
        self.localPath = localPath
        self.name = name
        self.mimeType = mimeType
        self.size = size
        self.sha256 = sha256
        self.wasTried = wasTried
    }
}

/// How one try of an upload ended.
package enum UploadOutcome: Sendable, Hashable {
    /// The service has it, by this try or an earlier one, under the path that the message has to name.
    case stored(path: String)
    /// May succeed later, unchanged.
    case wait(after: Duration?, because: WaitReason)
    /// May succeed once the user has signed in again.
    case waitForSignIn
    /// Will not succeed unchanged.
    case refused(SendError)
}

/// A file as the service has it now.
package struct RemoteFile: Sendable, Hashable {
    /// Bytes.
    package var size: Int64
    /// Differs when the content does; only compared.
    package var version: String
    /// Of its content, lower-case hexadecimal, as whoever brought it told; `nil`: nobody did.
    package var sha256: String?

    package init(size: Int64, version: String, sha256: String? = nil) {
        self.size = size
        self.version = version
        self.sha256 = sha256
    }
}

/// What a fetch has appended to the local file.
package enum FetchedPart: Sendable, Hashable {
    /// The rest of the file: with what was there before, it is whole.
    case rest
    /// Something else: what the local file holds now is of no use.
    case nothingOfUse
}
