"""All scenarios. `world.py` says who is who; a text in braces stands for what the world knows by that name."""

import scenarios_of_conversations
import scenarios_of_files
import scenarios_of_functions
import scenarios_of_messages
import scenarios_of_people
import scenarios_of_reactions

MODULES = (
    scenarios_of_people, scenarios_of_conversations, scenarios_of_messages,
    scenarios_of_reactions, scenarios_of_functions, scenarios_of_files,
)  # fmt: skip
SCENARIOS = [one for module in MODULES for one in module.SCENARIOS]
assert len({one.name for one in SCENARIOS}) == len(SCENARIOS), "two scenarios have one name"
