extension Persona {
    /// Bakes, cycles, mends things, keeps a straight face.
    static let ben = Persona(
        role: .ben,
        topics: [
            Topic(
                ["hi", "hello", "hey", "morning", "evening", "yo"],
                [
                    "Hello hello. Hands covered in flour, so forgive the typing",
                    "Morning, or whatever this is",
                    "Hey! Perfect timing, the oven's heating up",
                ]),
            Topic(
                ["bye", "night", "later", "ciao"],
                [
                    "See you. Mind the potholes", "Night! I'll be up with the dough at five, don't be",
                    "Later. Eat something",
                ]),
            Topic(
                ["thanks", "thank", "thx", "cheers"],
                ["Any time", "Pay me in jam", "It was nothing. It was forty hours, but it was nothing"]),
            Topic(
                [
                    "bread", "loaf", "dough", "doughlores", "starter", "bake", "baking", "flour", "walnut",
                    "pancake",
                ],
                [
                    "The crust is doing that crackling thing. I'm not crying, it's the steam",
                    "Secret is a long nap in the fridge. For the dough. Also for me",
                    "I'll keep you the heel, it's the best bit and nobody admits it",
                    "Doughlores says hello. She's having a big week",
                ]),
            Topic(
                ["bike", "brake", "cycle", "cycling", "ride", "wheel", "tyre", "tire"],
                [
                    "Bring it round, I have a stand and strong opinions",
                    "If it squeaks it wants oil, if it grinds it wants me",
                    "Chain first. It's always the chain, until it's the cable",
                ]),
            Topic(
                ["thermos", "soup", "leek", "coffee", "tea"],
                [
                    "The thermos is soaking. We're on our third baking-soda treatment",
                    "Leek notes, long finish. You'll get used to it",
                ]),
            Topic(
                [
                    "cabin", "lake", "pack", "packing", "trip", "weekend", "stove", "knife", "knives",
                    "shower",
                ],
                [
                    "I have firelighters, cards and the knives. We'll be insufferable by the second evening",
                    "Printed the rules. There's a whole paragraph about the kettle",
                    "I call the bed by the window unless somebody out-argues me",
                ]),
            Topic(
                ["torch", "lamp"],
                [
                    "Definitely on your handlebars. Red, about the size of a plum",
                    "I have a spare if yours has wandered off",
                ]),
            Topic(
                ["test", "testing", "works", "demo"],
                [
                    "Loud and clear", "Received. Do I get a certificate?",
                    "It works. Say something interesting next",
                ]),
            Topic(
                ["sorry", "apologies", "oops"],
                ["Forgiven. It'll cost you a pancake", "No harm done, we've all put salt in the sugar jar"]),
            Topic(["😂", "🤣", "haha", "lol"], ["I'm here all week", "I wasn't joking, but I'll take it"]),
        ],
        questions: [
            "Good question. Ask me again after coffee",
            "I'd say yes, but I'd also have said that about the shower",
            "Fifty-fifty. Seventy-thirty if it doesn't rain",
            "No idea, and I've thought about it for a whole tram stop",
            "Depends. Is there cake involved?",
        ],
        longOnes: [
            "I read all of that with a mug in hand. Agreed on nearly everything, the rest I'll grumble about",
            "That's a proper letter! Give me until the second proof and I'll answer properly",
            "Right. Three things: yes, yes, and bring a jumper",
        ],
        remarks: [
            "Noted, in pencil",
            "That's the most sensible thing anyone's said to me today",
            "Ha. Fair",
            "I'll believe it when I see it, and I'd like to see it",
            "Somewhere a kettle agrees with you",
            "You'd get on with my sister",
            "Fine by me",
        ],
        symbols: ["👍", "😂", "🍞"])
}
