"""# Klink

Two cards lie face down before you: look at one, then keep both or pass both on. Low score wins; equal cards cancel each
other, three in a row earn an ability. Hidden information is short-lived: a peek lasts a turn. 2 to 6 players (3 to 5 in
the box). `parlour rules klink` prints the rules.

```python
env = parlour.envs.klink_v0.env(players=5, render_mode="ansi")
batch = parlour.batch("klink", size=1024, seed=0, target=100)
```

## Options

| option | default | meaning |
| --- | --- | --- |
| players | 4 | 2 to 6 |
| target | 77 | the total that ends the game |
| numbers | the default table | {value: count} of the number cards, values -5 to 20, at least 10 n + 2 cards |
| abilities | four of each | {"SWAP": count, "DRAW_ALL": count, "HIGH_LOW": count}, at least 3 cards |
| first_player | None | who starts the first round; None draws it by the seed |
| reward | "outcome" | or "margin": minus the own total plus the mean of the others', / 100 |

How often each number and ability occurs is reconstructed.

<!-- generated -->

## Specs

| players | actions | observe | remember | reveal |
| --- | --- | --- | --- | --- |
| 2 | 37 | 194 | 307 | 382 |
| 3 | 37 | 230 | 369 | 444 |
| 4 | 37 | 266 | 431 | 506 |
| 5 | 37 | 302 | 493 | 568 |
| 6 | 37 | 338 | 555 | 630 |

One game takes 456 bytes. Tables below are those of 4 players; seats are counted clockwise from the observer.

## Actions

| ids | name | meaning |
| --- | --- | --- |
| 0-1 | look | look at the card in slot 0 or 1 |
| 2 | keep | keep both cards |
| 3-7 | player | the player 1 to 5 seats clockwise: to pass both cards to, or as an ability's target |
| 8-10 | ability | use a visible ability: SWAP, DRAW_ALL, HIGH_LOW |
| 11-36 | value | a face-up card of this value, -5 to 20, for SWAP |

## Observation

| indices | name | shape | range | meaning |
| --- | --- | --- | --- | --- |
| 0-103 | face_up | 4 x 26 | 0 to 1 | has this value (-5 to 20) face up, by seat |
| 104-129 | unseen | 26 | 0 to 1 | cards of each value in the deck or drawn and face down, / 3 |
| 130-181 | peek | 2 x 26 | 0 to 1 | slots 0, 1: value this seat looked at while it holds the cards, one-hot |
| 182-207 | own_value | 26 | 0 to 1 | own value chosen for a SWAP under way, one-hot |
| 208-210 | visible | 3 | 0 to 1 | visible abilities of each kind, / 3 |
| 211-213 | ability_discard | 3 | 0 to 1 | discarded abilities of each kind, / 4 |
| 214-216 | ability_unseen | 3 | 0 to 1 | abilities of each kind in the deck, / 4 |
| 217-223 | phase | 7 | 0 to 1 | look, keep or pass, ability, swap own, player, their, high low: one-hot |
| 224 | deck_size | 1 | 0 to 1 | cards in the number deck / number cards in the game |
| 225 | round | 1 | 0 to 5 | number of this round, / 10 |
| 226-229 | cards | 4 | 0 to 1.2 | cards of each collection, face-down ones too, by seat, / 10 |
| 230-233 | face_down | 4 | 0 to 1.2 | face-down cards by seat, / 10 |
| 234-237 | total | 4 | -12.5 to 2.41 | total of the finished rounds by seat, / 100 |
| 238-241 | offered | 4 | 0 to 1 | place among those offered this turn's cards, / players; 0: not offered |
| 242-245 | turn_player | 4 | 0 to 1 | who drew this turn's cards, by seat, one-hot |
| 246-249 | holder | 4 | 0 to 1 | who holds this turn's cards or has kept them, by seat, one-hot |
| 250-253 | to_move | 4 | 0 to 1 | player to move by seat, one-hot |
| 254-261 | looked | 2 x 4 | 0 to 1 | slots 0, 1: who looked at it this turn, by seat |
| 262-265 | target_seat | 4 | 0 to 1 | player chosen for a SWAP under way, by seat, one-hot |

## Information state (`remember`)

19 entries of the observation, and:

| indices | name | shape | range | meaning |
| --- | --- | --- | --- | --- |
| 266-369 | pairs | 4 x 26 | 0 to 2 | face-down pairs of each value by seat, / 3 |
| 370-378 | visible_slots | 3 x 3 | 0 to 1 | kind of the ability in visible slots 0, 1, 2, one-hot |
| 379-430 | peeked | 2 x 26 | 0 to 1 | slots 0, 1: value this seat has looked at this turn, one-hot |

## Whole state (`reveal`)

19 entries of the observation, and:

| indices | name | shape | range | meaning |
| --- | --- | --- | --- | --- |
| 266-369 | pairs | 4 x 26 | 0 to 2 | face-down pairs of each value by seat, / 3 |
| 370-378 | visible_slots | 3 x 3 | 0 to 1 | kind of the ability in visible slots 0, 1, 2, one-hot |
| 379-430 | drawn | 2 x 26 | 0 to 1 | slots 0, 1: value of this turn's face-down cards, one-hot |
| 431-493 | deck | 63 | 0 to 1 | the number deck from its top: (value + 6) / 26, 0 past its end |
| 494-505 | ability_deck | 12 | 0 to 1 | the ability deck from its top: (kind + 1) / 3, 0 past its end |

<!-- end of generated -->

## Rewards

Zero until the end. `outcome`: the lowest total wins; a lone winner gets 1, the others -1/(n - 1); winners who share split
it so that the sum is 0.

## Termination

When a total reaches the target at the end of a round. A game of 50 rounds without that is truncated, and pays by the totals
as they stand.

## Version history

- v0: first release.
"""

from typing import Any

import numpy as np

from parlour.envs.core.game import Game, Rules
from parlour.envs.core.layout import Actions, Family
from parlour.envs.core.options import read_opener, read_players, read_reward, told_opener
from parlour.envs.core.registry import Door
from parlour.envs.klink import observation, rules, text
from parlour.envs.klink.components import (
    ABILITIES,
    DEFAULT_ABILITIES,
    DEFAULT_NUMBERS,
    MAX_NUMBERS,
    MAX_PLAYERS,
    MIN_PLAYERS,
    VALUES,
    Cards,
    Table,
    read_cards,
    read_target,
)

PLAYERS = tuple(range(MIN_PLAYERS, MAX_PLAYERS + 1))
CONFIGURATIONS: tuple[dict[str, Any], ...] = (
    *({"players": n} for n in PLAYERS),
    {"target": 100, "first_player": 2, "reward": "margin"},
    {
        "players": 3,
        "numbers": [[value, 13] for value in range(6)],
        "abilities": [["SWAP", 2], ["DRAW_ALL", 1], ["HIGH_LOW", 1]],
    },
)
"""What `parlour check` tries."""

RULES = Rules(
    owner="klink",
    record=rules.RECORD,
    setup=rules.setup,
    legal=rules.legal,
    apply=rules.apply,
    observe=observation.observe,
    remember=observation.remember,
    reveal=observation.reveal,
    redeal=observation.redeal,
    scores=rules.scores,
    returns=rules.returns,
)

ACTIONS = Actions(
    (
        Family("look", 2, "look at the card in slot 0 or 1"),
        Family("keep", 1, "keep both cards"),
        Family("player", 5, "the player 1 to 5 seats clockwise: to pass both cards to, or as an ability's target"),
        Family("ability", ABILITIES, "use a visible ability: SWAP, DRAW_ALL, HIGH_LOW"),
        Family("value", VALUES, "a face-up card of this value, -5 to 20, for SWAP"),
    )
)
"""The action ids [KLI-50]."""


def make(
    door: Door,
    players: int = 4,
    target: int = 77,
    numbers: Table = DEFAULT_NUMBERS,
    abilities: Table = DEFAULT_ABILITIES,
    first_player: int | None = None,
    reward: str = "outcome",
) -> Game:
    """The game in one configuration."""
    players = read_players(players, PLAYERS)
    target = read_target(target)
    cards = read_cards(numbers, abilities, players)
    opener = read_opener(first_player, players)
    config: dict[str, Any] = {
        "players": players,
        "target": target,
        "numbers": cards.number_rows,
        "abilities": cards.ability_rows,
        "first_player": told_opener(opener),
        "reward": reward,
    }
    return Game(
        name=door.name,
        title=door.title,
        version=door.version,
        config=config,
        players=players,
        teams=players,
        rules=RULES,
        blank=_blank(cards, players, target, opener, read_reward(reward)),
        actions=ACTIONS,
        layout=observation.observation_layout(cards, players, target),
        memory=observation.memory_layout(cards, players, target),
        whole=observation.whole_layout(cards, players, target),
        action_text=text.action_text,
        action_text_now=text.action_text_now,
        describe=text.describe,
        board=text.board,
        private=text.private,
        why_not=text.why_not,
        components=text.components,
    )


def _blank(cards: Cards, players: int, target: int, opener: int, reward: int) -> Any:
    """A record with the configuration written."""
    blank = rules.RECORD.blank(
        players=players,
        reward=reward,
        target=target,
        opener=opener,
        cards=len(cards.deck),
        numbers=cards.numbers,
        abilities=cards.abilities,
        own_value=rules.NOTHING,
        target_seat=rules.NOTHING,
    )
    blank["deck"][0] = np.pad(cards.deck, (0, MAX_NUMBERS - len(cards.deck)))
    return blank
