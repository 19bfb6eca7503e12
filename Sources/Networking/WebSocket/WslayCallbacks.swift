import CWslay

/// wslay's callbacks. Each finds its engine in the context and passes the call on.
enum WslayCallbacks {
    private static func engine(_ user: UnsafeMutableRawPointer?) -> WebSocketEngine? {
        user.map { Unmanaged<WebSocketEngine>.fromOpaque($0).takeUnretainedValue() }
    }

    static var all: wslay_event_callbacks {
        var callbacks = wslay_event_callbacks()
        callbacks.recv_callback = { context, buffer, length, _, user in
            let room = UnsafeMutableRawBufferPointer(start: buffer, count: length)
            let step = WslayCallbacks.engine(user)?.read(into: room) ?? .failed
            return WslayCallbacks.answer(step, context)
        }
        callbacks.send_callback = { context, bytes, length, _, user in
            let step =
                WslayCallbacks.engine(user)?.write(UnsafeRawBufferPointer(start: bytes, count: length))
                ?? .failed
            return WslayCallbacks.answer(step, context)
        }
        callbacks.genmask_callback = { _, buffer, length, _ in
            var generator = SystemRandomNumberGenerator()
            for index in 0..<length { buffer?[index] = UInt8.random(in: .min ... .max, using: &generator) }
            return 0
        }
        callbacks.on_msg_recv_callback = { _, message, user in
            guard let message else { return }
            WslayCallbacks.engine(user)?.take(message.pointee)
        }
        return callbacks
    }

    private static func answer(_ step: StreamStep, _ context: OpaquePointer?) -> Int {
        switch step {
        case .moved(let count): return count
        case .wouldBlock: wslay_event_set_error(context, WSLAY_ERR_WOULDBLOCK.rawValue)
        case .ended, .failed: wslay_event_set_error(context, WSLAY_ERR_CALLBACK_FAILURE.rawValue)
        }
        return -1
    }
}
