import FoundationEssentials
import Models
import Terminal
import ViewModels

/// What people are called in one thread: the first word of their name while that tells them apart.
struct ThreadNames: Equatable {
    private var names: [UUID: String] = [:]
    private let people: [UUID: Person]
    private let hues: Hues
    /// Columns for names beside the messages.
    let width: Columns

    /// The narrowest and the widest column of names.
    static let narrowest: Columns = 4
    static let widest: Columns = 10

    init(_ people: [UUID: Person]) {
        self.people = people
        hues = Hues(people.keys)
        let shorts = people.mapValues { Self.firstWord($0) }
        let counts = shorts.values.reduce(into: [String: Int]()) { $0[$1.lowercased(), default: 0] += 1 }
        var widest = Self.narrowest
        for (id, short) in shorts {
            let isAlone = counts[short.lowercased()] == 1
            let name = isAlone ? short : people[id].map(Self.fullName) ?? short
            names[id] = name
            widest = max(widest, CleanText(name).width)
        }
        width = min(widest, Self.widest)
    }

    private static func fullName(_ person: Person) -> String {
        person.displayName.isBlank ? person.username : person.displayName
    }

    private static func firstWord(_ person: Person) -> String {
        let name = fullName(person)
        return name.split(separator: " ").first.map(String.init) ?? name
    }

    /// `nil` for nobody; somebody unknown is called `someone`.
    func name(_ id: UUID?) -> String? { id.map { names[$0] ?? "someone" } }

    /// The person's colour in this thread.
    func hue(_ id: UUID?) -> Role { hues.role(id) }

    func isFor(_ people: [UUID: Person]) -> Bool { self.people == people }
}
