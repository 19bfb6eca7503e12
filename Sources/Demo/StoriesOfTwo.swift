extension Story {
    /// A sourdough starter is looked after, and a brake is mended.
    static let ben = Story(
        title: nil, members: [.ben, .you],
        lines: [
            .day(3, 21, 2, .ben, "Can I ask you a favour of the slightly strange kind"),
            .day(3, 21, 4, .you, "Always"),
            .day(
                3, 21, 5, .ben,
                "Feed my starter while I'm at my sister's. One spoon of flour, one of water, a kind word"),
            .day(3, 21, 7, .you, "Does the kind word matter?"),
            .day(3, 21, 7, .ben, "It rises better. I have no data, only faith").liked(by: .you, "❤️"),
            .day(3, 21, 9, .you, "Does it have a name?").named("name"),
            .day(3, 21, 10, .ben, "Doughlores").answering("name").liked(by: .you, "😂"),
            .day(2, 7, 44, .you, "Fed. Told her she looks lively"),
            .day(
                2, 7, 51, .ben, "You're a good person. She envies the fridge, so keep its door shut"),
            .day(
                2, 13, 30, .ben,
                "Also, I fixed your rear brake. The cable was hanging on by one strand and optimism"),
            .day(2, 13, 41, .you, "I wondered why hills had got exciting. Thank you!! What do I owe you?"),
            .day(2, 13, 43, .ben, "A pancake. Large").liked(by: .you, "🥞"),
            .day(1, 19, 5, .you, "Make it two"),
            .day(1, 19, 11, .ben, "I'll hold you to it. Cleo is my witness, she witnesses everything"),
            .ago(95, .you, "Doughlores overflowed. There is dough in the cutlery drawer"),
            .ago(93, .ben, "That means she likes you 🥹"),
        ], unread: 0)

    /// Night shifts, a jacket and a biscuit.
    static let cleo = Story(
        title: nil, members: [.cleo, .you],
        lines: [
            .day(4, 23, 48, .cleo, "Are you awake? Quiet night on the ward and I've read every leaflet"),
            .day(4, 23, 51, .you, "Barely. What's the best leaflet?").named("leaflet"),
            .day(4, 23, 53, .cleo, "\"Living Well With Bunions\". Gripping. Couldn't put it down")
                .answering("leaflet").liked(by: .you, "😂"),
            .day(4, 23, 55, .cleo, "Go to bed, I'll haunt someone else"),
            .day(2, 16, 10, .cleo, "Do you have my green jacket, or did I leave it at the cinema?"),
            .day(2, 16, 22, .you, "It's here on the hook. There was half a biscuit in the pocket"),
            .day(2, 16, 23, .cleo, "That's Bruno's biscuit. Evidence"),
            .day(2, 16, 25, .you, "The evidence has been eaten"),
            .day(2, 16, 26, .cleo, "By WHOM"),
            .day(2, 16, 26, .you, "No further questions").liked(by: .cleo, "😂"),
            .day(
                1, 14, 2, .cleo,
                "Last shift done!!! Three of mine went home today and one of them knitted me a hat 🧶"),
            .day(1, 14, 9, .you, "That's lovely. What colour?"),
            .day(
                1, 14, 10, .cleo,
                "Traffic-cone orange. I'm wearing it for the whole trip and none of you may comment"),
            .ago(140, .you, "The drive is 2 h 10 without stops, or 3 h with you"),
            .ago(133, .cleo, "Rude and correct").liked(by: .you, "❤️"),
            .ago(26, .cleo, "Bring the jacket tomorrow? And earplugs. Bruno snores like a small tractor 🐕"),
        ], unread: 1)

    /// Six prints, a poster, and a word for light.
    static let mei = Story(
        title: nil, members: [.mei, .you],
        lines: [
            .day(4, 10, 20, .mei, "おはよう！ The gallery said yes. Six prints, the rooftop series 🎉"),
            .day(4, 10, 24, .you, "MEI. That's huge. Congratulations!!").liked(by: .mei, "🥰"),
            .day(4, 10, 26, .mei, "I screamed on the tram. An old man offered me his seat"),
            .day(4, 10, 31, .you, "When is the opening?"),
            .day(4, 10, 33, .mei, "In three weeks, 19:00. 来てくれる？"),
            .day(4, 10, 34, .you, "Of course. Front row, if galleries have rows"),
            .day(
                2, 19, 15, .mei, "Which one for the poster: the antennas, or the woman watering her tomatoes?"
            )
            .named("poster"),
            .day(2, 19, 19, .you, "Tomatoes. There's a whole life in it").answering("poster"),
            .day(2, 19, 20, .mei, "That's what my teacher said too. トマトに決まり 🍅").liked(by: .you, "🍅"),
            .day(1, 11, 5, .you, "Teach me one useful word before the cabin").named("word"),
            .day(
                1, 11, 9, .mei,
                "木漏れ日 (komorebi): sunlight that comes through leaves. You'll need it on the trail"
            )
            .answering("word"),
            .day(1, 11, 12, .you, "Komorebi. Writing it on my hand"),
            .day(1, 11, 13, .mei, "上手！"),
            .ago(205, .mei, "Packed so far: tripod, two lenses, rice. Clothes: zero"),
            .ago(198, .you, "Priorities"),
            .ago(197, .mei, "大事なものから。").liked(by: .you, "😂"),
        ], unread: 0)
}
