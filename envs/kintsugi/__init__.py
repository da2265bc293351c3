"""# Kintsugi and Broken and Beautiful

A card game of drafting pottery that breaks and is worth more once it is mended. Two editions of one game: `kintsugi_v0`
is the French one, `broken_and_beautiful_v0` the English one. 2 to 4 players; everything is public but the order of the
deck below its top card. `parlour rules kintsugi` prints the rules.

```python
env = parlour.envs.kintsugi_v0.env(players=3, render_mode="ansi")
batch = parlour.batch("broken_and_beautiful", size=1024, seed=0)
```

## Options

| option | default | meaning |
| --- | --- | --- |
| players | 2 | 2 to 4 |
| deck | the default deck | rows (type, pattern or None, value, count) that replace it, at most 92 cards and 4 patterns |
| unlimited_supply | False | lifts the limit of 14 (EN) or 18 (FR) tokens |
| novices | () | seats that start with one token |
| first_player | None | who begins the first round; None draws it by the seed |
| reward | "outcome" | or "margin": own score minus the mean of the others', / 20 |

The deck's patterns and counts are reconstructed; the rules say which numbers are known.

<!-- generated -->

## Specs

| players | actions | observe | remember | reveal |
| --- | --- | --- | --- | --- |
| 2 | 69 | 224 | 224 | 270 |
| 3 | 69 | 298 | 298 | 344 |
| 4 | 69 | 372 | 372 | 418 |

One game takes 512 bytes. Tables below are those of 2 players; seats are counted clockwise from the observer.

## Actions

| ids | name | meaning |
| --- | --- | --- |
| 0-22 | keep | draft a card of this kind and keep it (kinds in order, gold cannot be kept) |
| 23-46 | sell | draft a card of this kind and sell it for its value |
| 47-67 | repair | repair a broken card of this pottery kind |
| 68 | pass | repair nothing |

## Observation

| indices | name | shape | range | meaning |
| --- | --- | --- | --- | --- |
| 0-23 | draft | 24 | 0 to 1.5 | cards of each kind in the draft area, / 2 |
| 24-47 | top_card | 24 | 0 to 1 | kind of the deck's top card, one-hot |
| 48-71 | unseen | 24 | 0 to 1.5 | cards of each kind below the top card, / 2 |
| 72-117 | unbroken | 2 x 23 | 0 to 1.5 | unbroken cards of each kind (no gold) by seat, / 2 |
| 118-159 | broken | 2 x 21 | 0 to 1.5 | broken cards of each pottery kind by seat, / 2 |
| 160-201 | repaired | 2 x 21 | 0 to 1.5 | repaired cards of each pottery kind by seat, / 2 |
| 202-203 | tokens | 2 | 0 to 1.8 | tokens by seat, / 10 |
| 204 | supply | 1 | 0 to 1.8 | tokens in the supply, / 10; 0 when unlimited |
| 205 | rounds_left | 1 | 0 to 1 | rounds still to come after this one, / rounds of a game |
| 206-207 | phase | 2 | 0 to 1 | draft, repair: one-hot |
| 208-211 | draft_turn | 4 | 0 to 1 | which turn of this round's draft it is, one-hot |
| 212-213 | first_player | 2 | 0 to 1 | holder of the marker by seat, one-hot |
| 214-215 | to_move | 2 | 0 to 1 | player to move by seat, one-hot |
| 216-217 | repairs | 2 | 0 to 4.5 | repairs made this round by seat, / 4 |
| 218-219 | free_repair | 2 | 0 to 1 | has a free repair left, by seat |
| 220-221 | passed | 2 | 0 to 1 | has passed in this repair phase, by seat |
| 222-223 | score | 2 | 0 to 20 | running score by seat, / 50 |

## Information state (`remember`)

The same as the observation.

## Whole state (`reveal`)

17 entries of the observation, and:

| indices | name | shape | range | meaning |
| --- | --- | --- | --- | --- |
| 224-269 | deck | 46 | 0 to 1 | the deck from its top: (kind + 1) / kinds, 0 past its end |

<!-- end of generated -->

## Rewards

Zero until the end. `outcome`: a lone winner gets 1, the others -1/(n - 1); winners who share split it so that the sum is 0.

## Termination

When too few cards are left for a draft: after 9, 6 or 5 rounds with 2, 3 or 4 players. There is no truncation.

## Version history

- v0: first release.
"""

from collections.abc import Iterable
from typing import Any

import numpy as np

from parlour.envs.core.game import Game, Rules
from parlour.envs.core.layout import Actions, Family
from parlour.envs.core.options import read_opener, read_players, read_reward, read_seats, told_opener
from parlour.envs.core.registry import Door
from parlour.envs.kintsugi import observation, rules
from parlour.envs.kintsugi.components import DEFAULT_DECK, EDITIONS, MAX_CARDS, TOKENS, Deck, read_deck
from parlour.envs.kintsugi.text import Words

PLAYERS = (2, 3, 4)
_DOUBLED = tuple((type, pattern, value, 2 * count) for type, pattern, value, count in DEFAULT_DECK)
CONFIGURATIONS: tuple[dict[str, Any], ...] = (
    *({"players": n} for n in PLAYERS),
    {"reward": "margin", "novices": (1,), "first_player": 0},
    {"players": 3, "deck": _DOUBLED, "unlimited_supply": True},
)
"""What `parlour check` tries."""

RULES = Rules(
    owner="kintsugi",
    record=rules.RECORD,
    setup=rules.setup,
    legal=rules.legal,
    apply=rules.apply,
    observe=observation.observe,
    remember=observation.observe,
    reveal=observation.reveal,
    redeal=observation.redeal,
    scores=rules.scores,
    returns=rules.returns,
)


def make(
    door: Door,
    edition: str,
    players: int = 2,
    deck: Iterable[Any] = DEFAULT_DECK,
    unlimited_supply: bool = False,
    novices: Iterable[int] = (),
    first_player: int | None = None,
    reward: str = "outcome",
) -> Game:
    """The game of one edition in one configuration."""
    players = read_players(players, PLAYERS)
    cards = read_deck(deck, players)
    seats = read_seats("novices", novices, players)
    number = EDITIONS.index(edition)
    opener = read_opener(first_player, players)
    blank = rules.RECORD.blank(
        players=players,
        reward=read_reward(reward),
        edition=number,
        patterns=len(cards.patterns),
        cards=len(cards.cards),
        unlimited=bool(unlimited_supply),
        novices=sum(1 << seat for seat in seats),
        opener=opener,
        supply=0 if unlimited_supply else TOKENS[number],
    )
    blank["values"][0, : len(cards.values)] = cards.values
    blank["deck"][0] = np.pad(cards.cards, (0, MAX_CARDS - len(cards.cards)))
    words = Words(cards)
    layout = observation.observation_layout(cards, players, number, bool(unlimited_supply))
    return Game(
        name=door.name,
        title=door.title,
        version=door.version,
        config={
            "players": players,
            "deck": cards.rows,
            "unlimited_supply": bool(unlimited_supply),
            "novices": seats,
            "first_player": told_opener(opener),
            "reward": reward,
        },
        players=players,
        teams=players,
        rules=RULES,
        blank=blank,
        actions=actions(cards),
        layout=layout,
        memory=layout,
        whole=observation.whole_layout(cards, players, number, bool(unlimited_supply)),
        action_text=words.action_text,
        describe=words.describe,
        board=words.board,
        why_not=words.why_not,
        components=words.components,
    )


def actions(deck: Deck) -> Actions:
    """The action ids [KIN-50]."""
    pottery = 7 * len(deck.patterns)
    return Actions(
        (
            Family("keep", pottery + 2, "draft a card of this kind and keep it (kinds in order, gold cannot be kept)"),
            Family("sell", pottery + 3, "draft a card of this kind and sell it for its value"),
            Family("repair", pottery, "repair a broken card of this pottery kind"),
            Family("pass", 1, "repair nothing"),
        )
    )
