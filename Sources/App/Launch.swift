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
        case .screen: return await screen(environment, console)
        }
    }

    /// Where nothing can be kept the screen opens all the same, and says so.
    @MainActor private static func screen(_ environment: [String: String], _ console: Console) async
        -> ExitCode
    {
        do throws(DirectoryError) {
            return await ScreenProgram(try Surroundings(environment: environment), console: console).run()
        } catch {
            console.complain(error.line)
            guard let (surroundings, folder) = Surroundings.passing(environment, isReading: true) else {
                return .inputOutput
            }
            let code = await ScreenProgram(surroundings, console: console).run(without: error)
            remove(folder)
            return code
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
                console.complain(error.line)
                return .inputOutput
            }
            let code = await ScreenProgram(surroundings, console: console).runDemo(arguments)
            remove(folder)
            return code
        }
    }

    /// What cannot be removed stays private.
    private static func remove(_ folder: String) { try? FileManager.default.removeItem(atPath: folder) }

    @MainActor private static func withSurroundings(
        _ environment: [String: String], _ console: Console,
        _ body: @MainActor (Surroundings) async -> ExitCode
    ) async -> ExitCode {
        do throws(DirectoryError) {
            return await body(try Surroundings(environment: environment))
        } catch {
            console.complain(error.line)
            return .inputOutput
        }
    }
}

extension DirectoryError {
    /// For the shell's window, with the folder's path.
    fileprivate var line: String { "\(what) \(path.map { "\($0): " } ?? "")\(next)" }
}
