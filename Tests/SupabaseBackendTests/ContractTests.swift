import TestSupport
import Testing

@Suite struct ContractTests {
    @Test(arguments: backendContract)
    func theBackendKeepsThePromise(_ check: BackendCheck) async throws {
        let world = try await ServerWorld.start()
        let pair = try await world.pair()
        try await check.run(pair)
        await world.end()
    }
}
