import Settings
import Terminal
import Testing
import ViewModels

@testable import App

@Suite struct PictureObstacleTests {
    private func obstacle(
        _ pictures: ThreadPictures = ThreadPictures(.on), path: String = "/nowhere",
        _ depth: ColorDepth = .palette, isASCII: Bool = false
    ) -> PictureObstacle? {
        PictureObstacle(
            pictures, PictureHelper(environment: ["PATH": path], depth: depth), isASCII: isASCII)
    }

    @Test func whyNothingIsDrawnIsTold() {
        #expect(obstacle(ThreadPictures(.off)) == .turnedOff)
        #expect(obstacle(ThreadPictures(.on), .none) == .noColors)
        #expect(obstacle(isASCII: true) == .noColors)
        #expect(obstacle() == .noHelper)
    }

    @Test func theSettingsBecomeRules() {
        var settings = Settings()
        #expect(ThreadPictures(settings) == ThreadPictures(.on, limit: 5 << 20))
        (settings.pictures, settings.pictureLimit) = (.ask, 0)
        #expect(ThreadPictures(settings) == ThreadPictures(.ask, limit: 0))
        settings.pictures = .off
        #expect(ThreadPictures(settings).mode == .off)
    }
}
