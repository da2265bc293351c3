"""# Patchwork

Two players buy patches from a circle and sew them onto quilts of 9x9 cells; whoever is further back in time moves, so a
player may move several times in a row. After the circle is laid out there is no chance and nothing is hidden.
`parlour rules patchwork` prints the rules.

```python
env = parlour.envs.patchwork_v0.env(render_mode="ansi")
quilts = batch.game.layout.view(batch.observation, "quilt")   # [B, 2, 9, 9]: own, other's
```

## Options

| option | default | meaning |
| --- | --- | --- |
| players | 2 | 2 only |
| leather | "first" | where the leather patches lie: "first" 20, 26, 32, 44, 50, "revised" 26, 32, 38, 44, 50 |
| mirror | True | whether patches may be turned over |
| first_player | None | who begins; None draws it by the seed |
| reward | "outcome" | or "margin": own score minus the other's, / 30 |

<!-- generated -->
<!-- end of generated -->

## Rewards

Zero until the end. `outcome`: 1 for the winner, -1 for the loser; there is no draw.

## Termination

When both time tokens are on space 53. There is no truncation.

## Version history

- v0: first release.
"""

from typing import Any

from parlour.envs.core.game import Game, Rules
from parlour.envs.core.layout import Actions, Family
from parlour.envs.core.options import read_choice, read_opener, read_players, read_reward
from parlour.envs.core.registry import Door
from parlour.envs.patchwork import observation, rules, text
from parlour.envs.patchwork.components import CELLS, CHOICES, LEATHER_LAYOUTS

PLAYERS = (2,)
CONFIGURATIONS: tuple[dict[str, Any], ...] = (
    {},
    {"leather": "revised", "mirror": False},
    {"reward": "margin", "first_player": 1},
)
"""What `parlour check` tries."""

RULES = Rules(
    owner="patchwork",
    record=rules.RECORD,
    setup=rules.setup,
    legal=rules.legal,
    apply=rules.apply,
    observe=observation.observe,
    remember=observation.observe,
    reveal=observation.observe,
    redeal=observation.redeal,
    scores=rules.scores,
    returns=rules.returns,
)

ACTIONS = Actions(
    (
        Family("advance", 1, "move just past the other token for buttons"),
        Family("leather", CELLS, "place the leather patch on this cell (row * 9 + column)"),
        Family(
            "buy",
            CHOICES * rules.PER_CHOICE,
            "82 + ((choice * 8 + orientation) * 81 + cell): buy one of the next three patches and sew it on; "
            "orientation k is k clockwise quarter turns, 4 + k the same of the mirrored patch; "
            "cell is the top left corner of its box",
        ),
    )
)


def make(
    door: Door,
    players: int = 2,
    leather: str = "first",
    mirror: bool = True,
    first_player: int | None = None,
    reward: str = "outcome",
) -> Game:
    """The game in one configuration."""
    blank = rules.RECORD.blank(
        players=read_players(players, PLAYERS),
        reward=read_reward(reward),
        layout=LEATHER_LAYOUTS.index(read_choice("leather", leather, LEATHER_LAYOUTS)),
        mirror=bool(mirror),
        opener=read_opener(first_player, 2),
    )
    return Game(
        name=door.name,
        title=door.title,
        version=door.version,
        config={
            "players": players,
            "leather": leather,
            "mirror": bool(mirror),
            "first_player": first_player,
            "reward": reward,
        },
        players=2,
        teams=2,
        rules=RULES,
        blank=blank,
        actions=ACTIONS,
        layout=observation.LAYOUT,
        memory=observation.LAYOUT,
        whole=observation.LAYOUT,
        action_text=text.action_text,
        action_text_now=text.action_text_now,
        describe=text.describe,
        board=text.board,
        why_not=text.why_not,
        components=text.components,
    )
