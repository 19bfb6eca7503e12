"""Files in the bucket of attachments."""

from actions import ListFiles, RemoveFile, Upload, person, refused, rows, scenario, value

nobody, ana, ben, dan, xi = map(person, ("nobody", "ana", "ben", "dan", "xi"))

CAT = "{trip}/{m2}/cat.png"
STORED = ben(Upload(CAT), value({"name": CAT}))

SCENARIOS = [
    scenario(
        "a member uploads, and members see the file",
        STORED,
        ana(ListFiles("{trip}/{m2}"), rows({"name": "cat.png"})),
        xi(ListFiles("{trip}/{m2}"), rows()),
        dan(ListFiles("{trip}/{m2}"), rows()),
        nobody(ListFiles("{trip}/{m2}"), rows()),
    ),
    scenario("an outsider uploads nothing", xi(Upload(CAT), refused("42501"))),
    scenario("who left uploads nothing", dan(Upload(CAT), refused("42501"))),
    scenario("nobody uploads without signing in", nobody(Upload(CAT), refused("42501"))),
    scenario("a file in another's name is refused", ben(Upload(CAT, owner="{ana}"), refused("42501")), only="postgres"),
    scenario(
        "a file is below a message",
        ben(Upload("{trip}/cat.png"), refused("42501")),
        ben(Upload("{trip}/x/cat.png"), refused("42501")),
    ),
    scenario("a file is in no folder of its own", ben(Upload("{trip}/{m2}/cats/cat.png"), refused("42501"))),
    # The storage service has refused such a name before it asks the database.
    scenario("a file has a name", ben(Upload("{trip}/{m2}/"), refused("42501")), only="postgres"),
    scenario(
        "a file is below a conversation",
        ben(Upload("cat.png"), refused("42501")),
        ben(Upload("trip/{m2}/cat.png"), refused("42501")),
    ),
    scenario("a path is taken once", STORED, ben(Upload(CAT), refused("23505"))),
    scenario("its uploader replaces a file", STORED, ben(Upload(CAT, replaces=True), value({"name": CAT}))),
    scenario("nobody else replaces a file", STORED, ana(Upload(CAT, replaces=True), refused("42501"))),
    scenario(
        "its uploader removes a file",
        STORED,
        ben(RemoveFile(CAT), rows({"name": CAT})),
        ana(ListFiles("{trip}/{m2}"), rows()),
    ),
    scenario(
        "nobody else removes a file",
        STORED,
        ana(RemoveFile(CAT), rows()),
        xi(RemoveFile(CAT), rows()),
        ben(ListFiles("{trip}/{m2}"), rows({"name": "cat.png"})),
    ),
]
