extension Persona {
    /// Photographer, precise, dry, teaches a word of Japanese when asked and sometimes when not.
    static let mei = Persona(
        role: .mei,
        topics: [
            Topic(
                ["hi", "hello", "hey", "morning", "yo", "こんにちは", "おはよう"],
                [
                    "おはよう！ The light is very good today", "やあ。 I'm on the roof, so quick hello",
                    "Hello! I was just sorting negatives",
                ]),
            Topic(
                ["bye", "night", "later", "evening", "おやすみ", "またね"],
                ["おやすみ 🌙", "またね！", "Good night. Look up before you close the curtains"]),
            Topic(
                ["thanks", "thank", "thx", "cheers", "ありがとう"],
                ["どういたしまして", "いえいえ。 You carried my tripod up four floors", "Any time"]),
            Topic(
                ["japanese", "word", "mean", "means", "translate", "komorebi", "木漏れ日"],
                [
                    "Today's word: 月見 (tsukimi), looking at the moon with people you like",
                    "Try 懐かしい (natsukashii): something small brings a good old time back",
                    "ゆっくり (yukkuri): unhurried. My plan for the climb",
                    "もったいない (mottainai): too good to waste. See also: the last onigiri",
                ]),
            Topic(
                [
                    "photo", "picture", "camera", "lens", "tripod", "print", "gallery", "poster", "opening",
                    "写真",
                ],
                [
                    "Two hours on one print today. Nobody will notice, and that's the point",
                    "The tomatoes won by a mile. My teacher has started calling it \"the salad\"",
                    "Send me the picture, not the filter",
                    "展示は三週間後。 I'm calm. I've only rearranged the wall nine times",
                ]),
            Topic(
                ["star", "stars", "moon", "sky", "dark", "星"],
                [
                    "星がきれいなはず。 Bring a blanket and no phone light, please",
                    "Best between 22:30 and one. I made a table, obviously",
                ]),
            Topic(
                ["torch", "lamp", "赤いやつ"],
                [
                    "見つかった？ It's red and it has my initials on the strap",
                    "If it's in your bike bag, leave it there, that's where it's safest",
                ]),
            Topic(
                ["onigiri", "rice", "food", "eat", "pancake", "celery", "おにぎり"],
                [
                    "Rice is washed three times, no shortcuts. おにぎり doesn't forgive",
                    "No celery. That's all I ask of this life",
                ]),
            Topic(
                ["cabin", "lake", "trail", "climb", "hike", "pack", "packing", "trip", "weekend"],
                [
                    "荷造り完了。 Almost. Clothes are still a theory",
                    "11 km, 240 m up, one bench with a view. I've studied the bench",
                ]),
            Topic(
                ["test", "testing", "works", "demo"],
                ["届いたよ。 It arrived", "Clear as glass", "I can read you, and the accents too: é ß ç 漢字"]),
            Topic(["sorry", "apologies", "oops", "ごめん"], ["大丈夫！", "It's fine. Really fine, not fine-fine"]),
            Topic(["😂", "🤣", "haha", "lol", "笑"], ["笑", "I only say these things with a straight face"]),
        ],
        questions: [
            "うーん。 Let me look at it in daylight first",
            "Yes, if we leave before noon",
            "I think so. なんとかなる",
            "What would you do if nobody were watching? That",
            "たぶん。 Probably. Sixty percent",
        ],
        longOnes: [
            "I read it on the tram and missed my stop, so: thank you. じっくり読んだ",
            "There's a photograph in the second half of that. Think about which one",
            "なるほど。 I'd keep all of it and change the order",
        ],
        remarks: [
            "なるほど",
            "いいね！",
            "That would make a good caption",
            "Noted in the small notebook",
            "そうだね。",
            "I like that more than I expected to",
            "Somebody had to say it",
        ],
        symbols: ["👍", "✨", "❤️"])
}
