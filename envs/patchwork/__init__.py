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

## Specs

| players | actions | observe | remember | reveal |
| --- | --- | --- | --- | --- |
| 2 | 2026 | 295 | 295 | 295 |

One game takes 208 bytes. Tables below are those of 2 players; seats are counted clockwise from the observer.

## Actions

| ids | name | meaning |
| --- | --- | --- |
| 0 | advance | move just past the other token for buttons |
| 1-81 | leather | place the leather patch on this cell (row * 9 + column) |
| 82-2025 | buy | 82 + ((choice * 8 + orientation) * 81 + cell): buy one of the next three patches and sew it on; orientation k is k clockwise quarter turns, 4 + k the same of the mirrored patch; cell is the top left corner of its box |

## Observation

| indices | name | shape | range | meaning |
| --- | --- | --- | --- | --- |
| 0-161 | quilt | 2 x 9 x 9 | 0 to 1 | filled cells of the own and the other quilt |
| 162-163 | buttons | 2 | 0 to 10 | buttons, own and other's, / 40 |
| 164-165 | income | 2 | 0 to 1.9 | buttons printed on the quilt, own and other's, / 20 |
| 166-167 | time | 2 | 0 to 1 | space of the time token, own and other's, / 53 |
| 168-169 | empty | 2 | 0 to 1 | empty cells, own and other's, / 81 |
| 170-171 | score | 2 | -4.05 to 11 | running score, own and other's, / 40 |
| 172-173 | to_next_income | 2 | 0 to 1 | spaces to the next income, own and other's, / 6; 0 at home |
| 174-175 | to_next_leather | 2 | 0 to 1 | spaces to the next leather patch, own and other's, / 53; 1 if none |
| 176-177 | bonus | 2 | 0 to 1 | has the 7x7 tile: self, other |
| 178-179 | on_top | 2 | 0 to 1 | whose token moved last: self, other |
| 180-181 | first_home | 2 | 0 to 1 | who reached space 53 first: self, other |
| 182-183 | to_move | 2 | 0 to 1 | player to move: self, other |
| 184 | leather_in_hand | 1 | 0 to 1 | whether a leather patch must be placed now |
| 185-189 | leather_left | 5 | 0 to 1 | which leather patches still lie on the track, first to last |
| 190-222 | circle | 33 | 0 to 1 | place in the circle of each patch A to g: 1 next, then falling by 1/33; 0 gone |
| 223-246 | upcoming | 6 x 4 | 0 to 1 | next six patches: cells / 8, cost / 10, time / 6, income / 3 |
| 247-291 | shape | 3 x 3 x 5 | 0 to 1 | cells of the next three patches as listed, from the top left corner |
| 292-294 | affordable | 3 | 0 to 1 | whether the player to move can pay for each of the next three |

## Information state (`remember`)

The same as the observation.

## Whole state (`reveal`)

The same as the observation.

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
from parlour.envs.core.options import read_choice, read_opener, read_players, read_reward, told_opener
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
    opener = read_opener(first_player, 2)
    blank = rules.RECORD.blank(
        players=read_players(players, PLAYERS),
        reward=read_reward(reward),
        layout=LEATHER_LAYOUTS.index(read_choice("leather", leather, LEATHER_LAYOUTS)),
        mirror=bool(mirror),
        opener=opener,
    )
    return Game(
        name=door.name,
        title=door.title,
        version=door.version,
        config={
            "players": 2,
            "leather": leather,
            "mirror": bool(mirror),
            "first_player": told_opener(opener),
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
        parts=text.parts,
        preview=text.preview,
        why_not=text.why_not,
        components=text.components,
    )
