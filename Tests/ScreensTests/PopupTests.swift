import FoundationEssentials
import Models
import Sync
import Terminal
import TestSupport
import Testing
import ViewModels

@testable import Screens

@MainActor @Suite(.timeLimit(.minutes(1))) struct PopupTests {
    private func scene(columns: Int = 80, rows: Int = 24) async -> Scene {
        let scene = Scene(columns: columns, rows: rows)
        scene.service.stored[MainScreenTests.crewID] = MainScreenTests.crewMessages
        scene.service.everybody = [.ana, .ben, .cleo, .dana]
        await scene.begin(MainScreenTests.conversations)
        await scene.open(MainScreenTests.conversations[0])
        return scene
    }

    @Test func theHelpPageIsMadeFromTheKeyTables() async throws {
        let scene = await scene()
        scene.press("Esc", "?")
        try expectGolden(scene.picture, "help-80x24")
    }

    @Test func quittingWithWaitingMessagesAsks() async throws {
        let scene = await scene()
        scene.service.details.send(LinkDetail(waitingCount: 3))
        await until { scene.model.waitingCount == 3 }
        scene.press("Esc", "q")
        try expectGolden(scene.picture, "quit-80x24")
        scene.press("Esc")
        #expect(scene.model.places.isEmpty)
    }

    @Test func peopleAreFoundByNameAndAGroupIsBegun() async throws {
        let scene = await scene()
        scene.press("Tab", "c")
        scene.type("be")
        await settle()
        scene.clock.advance(by: 1)
        await until { scene.people?.state.results.isEmpty == false }
        scene.press("Enter")
        scene.type("da")
        await settle()
        scene.clock.advance(by: 1)
        await until { scene.people?.state.wasSearched == true }
        try expectGolden(scene.picture, "new-conversation-80x24")
    }

    @Test func theSwitcherFindsByLetters() async throws {
        let scene = await scene()
        scene.press("Alt-g")
        scene.type("cl")
        try expectGolden(scene.picture, "switcher-80x24")
        scene.press("Enter")
        #expect(scene.model.state.open?.id == .example(101))
    }

    @Test func aReactionIsPicked() async throws {
        let scene = await scene()
        scene.press("Esc", "+")
        try expectGolden(scene.picture, "reaction-80x24")
        scene.press("2")
        await until { !scene.service.reactions.isEmpty }
        #expect(scene.service.reactions == ["±hand.thumbsup"])
    }

    @Test func aMessageTellsEverythingAboutItself() async throws {
        let scene = await scene()
        scene.press("Esc", "k", "I")
        try expectGolden(scene.picture, "info-80x24")
    }

    @Test func theAccountPageSaysWhatKeepsAnAccountFromConnecting() async throws {
        let scene = Scene(columns: 80, rows: 24)
        scene.service.profiles.send(.ana)
        scene.model.add(
            Account(
                service: scene.service, label: "team",
                facts: AccountFacts(
                    server: "https://chat.example.test", email: "ana@example.test",
                    caFile: "/home/ana/old-ca.pem")))
        let words = UserCopy(
            "The server's certificate is from an unknown issuer: Team CA.",
            next: "If the issuer is your team's own, give its certificate: ca_file in config.toml.")
        scene.service.details.send(LinkDetail(attempt: 1, reason: .certificate(words)))
        scene.service.statuses.send(.disconnected)
        await until {
            scene.model.accounts.first?.banner.problem != nil
                && scene.model.state.accountNames == ["ana@team"]
        }
        scene.press(":")
        scene.type("accounts")
        scene.press("Enter")
        try expectGolden(scene.picture, "accounts-80x24")
        scene.press("Esc")
        #expect(scene.model.places.isEmpty)
    }

    @Test func theCommandLineStandsBelowThePanes() async throws {
        let scene = await scene(rows: 12)
        scene.press("Esc", ":")
        scene.type("fir")
        try expectGolden(scene.picture, "command-80x12")
    }

    @Test func theFirstPageOffersThreeWays() async throws {
        let scene = Scene()
        scene.model.showFirstRun()
        scene.press("Down")
        try expectGolden(scene.picture, "first-run-80x24")
        scene.size = Size(columns: 40, rows: 16)
        try expectGolden(scene.picture, "first-run-40x16")
    }

    @Test func thePasswordIsNotShown() async throws {
        let scene = Scene()
        scene.model.showFirstRun()
        scene.press("Down", "Enter")
        scene.type("team.example")
        scene.press("Enter", "Space", "Enter")
        scene.type("ana@team.example")
        scene.press("Enter")
        scene.type("ana")
        scene.press("Enter", "Enter")
        scene.type("secret")
        let picture = scene.picture
        #expect(!picture.contains("secret"))
        try expectGolden(picture, "sign-up-80x24")
    }

    @Test func aSignInThatFailsSaysWhy() async throws {
        let scene = Scene()
        scene.model.openSignIn(address: "team.example")
        scene.press("Enter")
        scene.type("ana@team.example")
        scene.press("Enter")
        scene.type("wrong")
        scene.press("Enter")
        await until { scene.signIn?.state.trouble != nil }
        try expectGolden(scene.picture, "sign-in-refused-80x24")
        #expect(scene.signIn?.state.text(.password) == "")
    }

    @Test func noPopupBreaksATinyWindow() async {
        let scene = await scene()
        let openers: [[String]] = [
            ["F1"], ["Ctrl-c"], ["Alt-g"], ["Esc", "+"], ["Esc", "I"], ["Esc", "m"], ["Esc", ":"],
            ["Tab", "c"],
        ]
        for keys in openers {
            scene.model.setFocus(.composer)
            for key in keys { scene.press(key) }
            for columns in [1, 5, 20, 33, 80] {
                for rows in [1, 3, 5, 7, 24] {
                    scene.size = Size(columns: Columns(columns), rows: rows)
                    #expect(scene.frame.size == scene.size)
                }
            }
            while !scene.model.places.isEmpty { scene.model.pop() }
        }
    }
}

extension Scene {
    var people: PeopleViewModel? {
        if case .people(let people) = model.places.last { people } else { nil }
    }

    var signIn: SignInViewModel? {
        if case .signIn(let form) = model.places.last { form } else { nil }
    }
}
