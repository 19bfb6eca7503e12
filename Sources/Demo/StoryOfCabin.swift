extension Story {
    /// Four friends plan two nights at a lake.
    static let cabin = Story(
        title: "Cabin weekend", members: [.ben, .cleo, .mei, .you],
        lines: announcement + foodList + trail + packing + lastDay, unread: 3)

    private static let announcement: [Line] = [
        .day(
            4, 19, 2, .ben,
            "So. The cabin is ours for two nights. I put my name on it before anyone could outvote me."),
        .day(4, 19, 3, .cleo, "YES. Lake or no lake?"),
        .day(4, 19, 5, .ben, "Lake. Also a wood stove, six mugs and, I quote, \"a characterful shower\"."),
        .day(4, 19, 6, .you, "\"Characterful\" is doing a lot of work there")
            .liked(by: .cleo, "😂").liked(by: .mei, "😂"),
        .day(
            4, 19, 11, .mei,
            "やった！ I'm bringing the tripod. No street light for miles, the stars will be absurd"),
        .day(4, 19, 12, .cleo, "I'm off shift by noon so I can drive. Room for three plus Bruno"),
        .day(4, 19, 14, .you, "Is Bruno allowed?").named("bruno"),
        .day(4, 19, 15, .ben, "Page two of the rules: \"well-behaved dogs\". So that's a no").answering(
            "bruno"),
        .day(4, 19, 15, .cleo, "excuse me"),
        .day(4, 19, 16, .cleo, "He is a perfect gentleman. He ate ONE of your loaves"),
        .day(4, 19, 18, .ben, "It was a forty-hour loaf, Cleo").liked(by: .you, "😂").liked(by: .mei, "😂"),
    ]

    private static let foodList: [Line] = [
        .day(
            3, 8, 31, .mei,
            "Forecast for the lake: clear first night, rain the second day 🌧️ Stars first, pancakes after"),
        .day(3, 8, 40, .ben, "I can live with pancakes"),
        .day(
            3, 8, 52, .you,
            "I'll do the food list tonight. Any new allergies, or still just Mei and raw celery?"),
        .day(3, 9, 3, .mei, "It's not an allergy, it's a grudge").liked(by: .ben, "❤️").liked(by: .you, "😂"),
        .day(
            3, 20, 14, .you,
            """
            Food, first draft. Shout if something is missing:

            First evening: Ben's bread, the lentil stew from New Year (the good one, not the one I burned), \
            salad, a wedge of that smoky cheese.
            Breakfast: pancakes, eggs, the last jar of Cleo's plum jam, coffee in quantities that would \
            worry a doctor.
            Lunch on the trail: onigiri if Mei has the patience to teach us, otherwise sandwiches.
            Second evening: we cook whatever is left and call it a theme.

            I have the big pot. I don't have a sharp knife, and I'm told the cabin doesn't either.
            """
        ).named("food"),
        .day(3, 20, 17, .cleo, "A nurse would like to state for the record that the coffee is fine")
            .answering("food"),
        .day(3, 20, 19, .mei, "I have the patience. おにぎり教室, come with clean hands")
            .liked(by: .you, "🍙").liked(by: .ben, "👍").liked(by: .cleo, "👍"),
        .day(3, 20, 26, .ben, "Knives: mine. Wrapped. Nobody panic when I open the boot"),
    ]

    private static let trail: [Line] = [
        .day(2, 12, 48, .cleo, "Mamma, yes, I ate breakfast. Toast is a breakfast").takenBack,
        .day(2, 12, 49, .cleo, "wrong chat 🙈 that was for my mother"),
        .day(2, 12, 50, .ben, "Now I need to know"),
        .day(2, 12, 51, .cleo, "You really don't"),
        .day(
            2, 18, 22, .mei,
            "The trail map: https://www.openstreetmap.org/#map=14/46.3628/14.0943 – once around the lake "
                + "is 11 km, with one proper climb"
        ).named("map").liked(by: .you, "👍"),
        .day(2, 18, 30, .ben, "\"Proper climb\", says the woman who runs up stairs for fun").answering("map"),
        .day(2, 18, 33, .mei, "It's 240 m. You'll be fine. ゆっくり行こう").named("slowly"),
        .day(2, 18, 35, .you, "What does that one mean?").answering("slowly"),
        .day(2, 18, 36, .mei, "\"Let's go slowly.\" You'll be hearing it a lot"),
    ]

    private static let packing: [Line] = [
        .day(1, 9, 15, .ben, "Starter is awake. Two loaves, one with walnuts. Bruno gets none").liked(
            by: .cleo, "💔"),
        .day(1, 9, 16, .cleo, "He heard that"),
        .day(
            1, 17, 40, .cleo,
            "Car plan: Sam in front with the map, Mei behind with Bruno's head on her lap, boot for the food"
        ),
        .day(1, 17, 42, .mei, "I accept these terms").liked(by: .cleo, "❤️"),
        .day(1, 17, 51, .you, "I'll be downstairs at half past twelve").named("when").edited,
        .day(1, 17, 53, .cleo, "Half past is perfect. I need exactly one nap first").answering("when"),
    ]

    private static let lastDay: [Line] = [
        .ago(176, .mei, "I looked at the moon tables. It sets at 22:10, so we get real darkness 🌌"),
        .ago(171, .ben, "You have moon tables?"),
        .ago(170, .mei, "Doesn't everyone"),
        .ago(58, .cleo, "Who has the big thermos?"),
        .ago(52, .ben, "Me. It still smells faintly of leek soup and I refuse to apologise"),
        .ago(49, .cleo, "Leek coffee it is").liked(by: .mei, "😂"),
        .ago(12, .mei, "Sam, do you still have my head torch? 赤いやつ").named("torch"),
        .ago(11, .ben, "I saw it on Sam's handlebars last week").answering("torch"),
        .ago(9, .cleo, "The evidence mounts"),
    ]
}
