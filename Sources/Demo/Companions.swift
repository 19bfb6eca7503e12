import Diagnostics
import Models
import Server
import SupabaseBackend

/// The three friends together: signed in, connected, and talking among themselves now and then.
struct Companions: Sendable {
    let address: ServingAddress
    let password: String
    let cast: Cast
    let pace: Pace
    let configuration: DemoConfiguration

    /// Returns when the task is cancelled and everybody is gone.
    func run() async {
        let people = await arrive()
        await withDiscardingTaskGroup { group in
            for person in people { group.addTask { await person.run() } }
            guard let room = cast.group else { return }
            if let painter = people.first(where: { $0.role == .mei }) {
                group.addTask {
                    guard await pace.wait(pace.tempo.opening) else { return }
                    await painter.showSketch(in: room, by: configuration.folder)
                }
            }
            group.addTask { await Chatter(people, in: room, pace: pace).run(seed: configuration.seed) }
        }
    }

    /// Who cannot sign in stays away; the others come.
    private func arrive() async -> [Companion] {
        let accounts = SupabaseAccounts(
            folder: configuration.folder, network: .system(), clock: configuration.clock,
            log: configuration.log)
        var people: [Companion] = []
        for role in Role.companions {
            let credentials = SupabaseAccounts.Credentials(
                server: address.baseURL, key: address.publishableKey, email: role.email, password: password)
            do throws(SignInError) {
                let backend = try accounts.backend(of: try await accounts.signIn(credentials))
                let person = Companion(
                    role, backend: backend, cast: cast, pace: pace, seed: configuration.seed,
                    log: configuration.log.named("demo"))
                if let person { people.append(person) }
            } catch {
                configuration.log.named("demo").warning("companion stays away")
            }
        }
        return people
    }
}
