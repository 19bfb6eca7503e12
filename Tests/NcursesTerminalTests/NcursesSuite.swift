import Testing

/// Tests that open ncurses, which there is one of in a process: one after the other.
@MainActor @Suite(.serialized, .timeLimit(.minutes(2))) struct NcursesSuite {}
