import Commands
import Diagnostics
import FoundationEssentials
import Settings

/// From the command line to the program that was asked for.
package enum Launch {
    /// - Returns: The exit code; `ExitCode` has their meanings.
    @MainActor package static func run() async -> Int32 {
        let arguments = Array(ProcessInfo.processInfo.arguments.dropFirst())
        let code = await run(arguments, environment: ProcessInfo.processInfo.environment, console: .standard)
        return code.rawValue
    }

    @MainActor static func run(
        _ arguments: [String], environment: [String: String], console: Console
    ) async -> ExitCode {
        let invocation: Invocation
        do throws(UsageError) { invocation = try Invocation.parse(arguments) } catch {
            console.complain(error.text)
            return .usage
        }
        switch invocation {
        case .help:
            console.say(Help.text)
            return .done
        case .version:
            console.say("pingline \(Help.version)")
            return .done
        case .serve(let arguments):
            return await withSurroundings(environment, console) { surroundings in
                await ServeCommand(
                    arguments, directories: surroundings.directories, console: console, log: surroundings.log
                ).run()
            }
        case .login, .logout, .accounts:
            return await withSurroundings(environment, console) { surroundings in
                await AccountCommands(surroundings, console: console).run(invocation)
            }
        case .demo(let arguments):
            return await demo(arguments, environment, console)
        case .screen:
            return await withSurroundings(environment, console) { surroundings in
                await ScreenProgram(surroundings, console: console).run()
            }
        }
    }

    /// The demo keeps nothing, so it also runs where nothing can be kept.
    @MainActor private static func demo(
        _ arguments: DemoArguments, _ environment: [String: String], _ console: Console
    ) async -> ExitCode {
        do throws(DirectoryError) {
            let surroundings = try Surroundings(environment: environment)
            return await ScreenProgram(surroundings, console: console).runDemo(arguments)
        } catch {
            guard let (surroundings, folder) = Surroundings.passing(environment) else {
                console.complain("\(error.what) \(error.next)")
                return .inputOutput
            }
            let code = await ScreenProgram(surroundings, console: console).runDemo(arguments)
            // It is empty but for folders; what cannot be removed stays private.
            try? FileManager.default.removeItem(atPath: folder)
            return code
        }
    }

    @MainActor private static func withSurroundings(
        _ environment: [String: String], _ console: Console,
        _ body: @MainActor (Surroundings) async -> ExitCode
    ) async -> ExitCode {
        do throws(DirectoryError) {
            return await body(try Surroundings(environment: environment))
        } catch {
            console.complain("\(error.what) \(error.next)")
            return .inputOutput
        }
    }
}
