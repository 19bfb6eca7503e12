import Models
import Terminal
import Testing
import ViewModels

@testable import Screens

@Suite struct BannerLineTests {
    private let problem = LinkProblem.certificate(
        UserCopy("The server's certificate is from an unknown issuer: Team CA.", next: "Give it."))

    private func text(_ state: BannerState, width: Columns, account: String? = nil) -> String? {
        bannerLine(state, account: account, retryKey: "Alt-r", width: width, glyphs: .unicode)?.line.string
    }

    @Test func aWrongCertificateIsNamedBeforeThePace() {
        let state = BannerState.reconnecting(attempt: 4, secondsLeft: 42, waiting: 1, problem: problem)
        let start = " ! The server's certificate is from an unknown issuer: Team CA."
        #expect(text(state, width: 120) == start + " · next try in 42 s · 1 message waiting · Alt-r now")
        #expect(text(state, width: 100) == start + " · next try in 42 s")
        #expect(text(state, width: 70) == start)
        #expect(text(state, width: 20) == start)  // cut by whoever draws it
        #expect(text(state, width: 80, account: "team")?.hasPrefix(" ! team: The server's") == true)
    }

    @Test func aNetworkThatWantsASignInIsNamedFirstWithWhatToDo() {
        let state = BannerState.reconnecting(
            attempt: 2, secondsLeft: 15, waiting: 0, problem: .intercepted)
        let what = " ! Something on the way answers for the server."
        let pace = " · next try in 15 s · Alt-r now"
        #expect(text(state, width: 120) == what + " Sign in to this network first." + pace)
        #expect(text(state, width: 80) == what + pace)
    }

    @Test func aTryIsNotPressed() {
        let state = BannerState.reconnecting(attempt: 4, secondsLeft: nil, waiting: 0, problem: problem)
        #expect(text(state, width: 120)?.hasSuffix("Team CA. · trying") == true)
    }
}
