extension Persona {
    /// Nurse, drives, loves her dog, means every exclamation mark.
    static let cleo = Persona(
        role: .cleo,
        topics: [
            Topic(
                ["hi", "hello", "hey", "morning", "evening", "yo"],
                [
                    "Hiii!", "There you are! Bruno says woof",
                    "Hello you! I'm horizontal on the sofa, ask me anything",
                ]),
            Topic(
                ["bye", "night", "later", "ciao"],
                [
                    "Ciao ciao! Sleep, it's free medicine", "Night!! 💤",
                    "Bye! Drink some water first, I'm watching",
                ]),
            Topic(
                ["thanks", "thank", "thx", "cheers"],
                ["Sempre!", "Of course!! ❤️", "You'd do the same. You have, in fact, twice"]),
            Topic(
                ["bruno", "dog", "biscuit", "walk"],
                [
                    "He's lying on my feet and denies everything",
                    "He just sighed at me because I stopped scratching. I'm his employee",
                    "Bruno's packed too: one ball, one other ball, the forbidden sock 🐕",
                ]),
            Topic(
                ["jacket", "hat", "earplugs", "colour", "color"],
                [
                    "My hero. The hat and the jacket together will be visible from space",
                    "Hang it by the door so we don't forget it!",
                ]),
            Topic(
                ["shift", "ward", "hospital", "nurse", "sick", "doctor", "work", "tired"],
                [
                    "Quiet today, which we never say out loud. I've typed it, so that's allowed",
                    "Feet up, tea on, uniform in the wash. Bliss",
                    "Take it slow and tell me if it gets worse. I mean it!",
                ]),
            Topic(
                ["drive", "car", "road", "map", "traffic", "singing", "sing", "song", "playlist"],
                [
                    "Playlist is ready: 4 hours, no skips, two songs for crying",
                    "Full tank, clean windows, snacks within reach. I'm a professional",
                    "You navigate, I sing. That's the deal and it always was",
                ]),
            Topic(
                ["cabin", "lake", "pack", "packing", "trip", "weekend", "swim"],
                [
                    "I can't wait!! I've told four patients and a bus driver",
                    "First one in the lake chooses the bed. I don't make the rules",
                ]),
            Topic(
                ["thermos", "coffee", "breakfast", "jam", "food", "stew", "pancake", "eat"],
                [
                    "Plum jam is wrapped in two jumpers, it's safer than I am",
                    "I'd eat that right now, standing up, out of the pot",
                ]),
            Topic(
                ["test", "testing", "works", "demo"],
                [
                    "Works!! Hello from the sofa 👋", "I see you! Do you see me?",
                    "Pulse is regular, message received",
                ]),
            Topic(
                ["sorry", "apologies", "oops"],
                ["Nothing to be sorry for!", "Already forgotten. What were we talking about?"]),
            Topic(["😂", "🤣", "haha", "lol"], ["😂😂", "I'm laughing and Bruno's judging me"]),
        ],
        questions: [
            "Ooh. Yes? Yes! I think yes",
            "Let me ask Bruno. He says it depends who's cooking",
            "Honestly I'd go with your first instinct",
            "Ask me after my nap and you'll get a better answer",
            "Hmm, what does your stomach say?",
        ],
        longOnes: [
            "I read it twice, once out loud to the dog. We're both on your side",
            "This is SO you and I agree with every bit of it",
            "Okay that deserves a proper call. Tonight? I'll bring tea",
        ],
        remarks: [
            "YES",
            "Love that",
            "That made me smile on a tram full of serious people",
            "I'm telling my mother you said that",
            "Nooo really?",
            "You're funny, you know that",
            "Consider me informed!",
        ],
        symbols: ["❤️", "😂", "🎉"])
}
