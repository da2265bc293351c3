"""# Kitsu

Tricks for two clans with hidden hands: whose colours sum up higher in a trick advances, and the first clan at the end of
the track wins the round; two rounds win. Partners exchange a card after every deal, without seeing what arrives. 2, 4 or 6
players, clans alternating round the table. `parlour rules kitsu` prints the rules.

```python
env = parlour.envs.kitsu_v0.env(players=6, render_mode="ansi")
known = parlour.batch("kitsu", size=256, seed=0).remember()   # the information state of the player to move
```

Colours in actions and observations are relative to the acting player's clan ("own", "other"), so that a policy for one
clan plays the other too. The secret exchange is a row of decisions that leak nothing.

## Options

| option | default | meaning |
| --- | --- | --- |
| players | 4 | 2, 4 or 6 |
| track_length | 12 | the last space of the track |
| first_player | None | who leads the first trick of the first round; None draws it by the seed |
| reward | "outcome" | or "margin": rounds won minus rounds lost, / 2, the same for all of a clan |

<!-- generated -->

## Specs

| players | actions | observe | remember | reveal |
| --- | --- | --- | --- | --- |
| 2 | 138 | 154 | 594 | 834 |
| 4 | 138 | 203 | 678 | 828 |
| 6 | 138 | 265 | 864 | 1074 |

One game takes 216 bytes. Tables below are those of 4 players; seats are counted clockwise from the observer.

## Actions

| ids | name | meaning |
| --- | --- | --- |
| 0-104 | play | play a card of this type in this mode; 0-14 put it aside in the exchange |
| 105-110 | destroy | destroy the card at this position of the trick |
| 111-125 | recover | recover a card of this type |
| 126 | recover none | recover nothing |
| 127-131 | take | take this token |
| 132-137 | give | give it to the player so many seats clockwise of the chooser |

## Observation

| indices | name | shape | range | meaning |
| --- | --- | --- | --- | --- |
| 0-14 | hand | 15 | 0 to 0.75 | own cards of each type, / 4 |
| 15-29 | recoverable | 15 | 0 to 0.75 | last trick's cards, shown to the player recovering one, / 4 |
| 30-44 | given | 15 | 0 to 1 | card put aside for the partner in this deal's exchange, one-hot |
| 45-59 | received | 15 | 0 to 1 | card received in this deal's exchange, one-hot |
| 60-119 | trick | 4 x 15 | 0 to 1 | card at each position of the trick, one-hot; 0 if hidden from here |
| 120-143 | laid | 4 x 6 | 0 to 1 | token on it: PLUS3 for own, for other, NO_ADVANCE, HIDE, RECOVER, INVERT |
| 144-147 | destroyed | 4 | 0 to 1 | whether it is destroyed |
| 148-149 | demand | 2 | 0 to 1 | colour asked of the next play by a Black Kitsune (own, other), one-hot |
| 150 | lead | 1 | -2.1 to 2.1 | own clan's sum minus the other's by what lies face up, inverted if need be, / 10 |
| 151-154 | hand_sizes | 4 | 0 to 1 | cards in hand by seat, / 6 |
| 155-174 | tokens | 4 x 5 | 0 to 1 | token held by seat, in the order of KIT-3, one-hot |
| 175-178 | leader | 4 | 0 to 1 | leader of this trick, or of the next one between two, by seat, one-hot |
| 179-182 | to_move | 4 | 0 to 1 | player to move by seat, one-hot |
| 183-186 | chosen | 4 | 0 to 1 | has put a card aside in a running exchange, by seat |
| 187-191 | pool | 5 | 0 to 1 | tokens in the pool |
| 192-193 | pawns | 2 | 0 to 1 | pawns (own, other), / track length |
| 194-195 | rounds_won | 2 | 0 to 1 | rounds won (own, other), / 2 |
| 196 | tricks | 1 | 0 to 1 | tricks finished since the shuffle, / 6 |
| 197-202 | phase | 6 | 0 to 1 | exchange, play, Katana's target, recover, take token, give token: one-hot |

## Information state (`remember`)

19 entries of the observation, and:

| indices | name | shape | range | meaning |
| --- | --- | --- | --- | --- |
| 203-262 | played | 4 x 15 | 0 to 1 | cards seen played by seat, / 4; a recovered one may be twice |
| 263-277 | last_trick | 15 | 0 to 0.75 | cards of the last finished trick, / 4 |
| 278-281 | voids | 4 | 0 to 1 | shown to hold none of the other clan's colour and got no card since, by seat |
| 282 | gift_kept | 1 | 0 to 1 | the partner has played no card of the type given, so still has it |
| 283-286 | taker | 4 | 0 to 1 | who recovered a card since the shuffle, by seat, one-hot |
| 287 | taken_when | 1 | 0 to 1 | cards played since the shuffle when it was recovered, / all cards |
| 288-302 | taken_from | 15 | 0 to 0.75 | cards of the trick it was recovered from, / 4 |
| 303-317 | taken | 15 | 0 to 1 | the card recovered, if by the observer, one-hot |
| 318-677 | plays | 24 x 15 | 0 to 1 | cards played since the shuffle in order, one-hot; 0 if hidden from here |

## Whole state (`reveal`)

19 entries of the observation, and:

| indices | name | shape | range | meaning |
| --- | --- | --- | --- | --- |
| 203-262 | played | 4 x 15 | 0 to 1 | cards seen played by seat, / 4; a recovered one may be twice |
| 263-277 | last_trick | 15 | 0 to 0.75 | cards of the last finished trick, / 4 |
| 278-281 | voids | 4 | 0 to 1 | shown to hold none of the other clan's colour and got no card since, by seat |
| 282 | gift_kept | 1 | 0 to 1 | the partner has played no card of the type given, so still has it |
| 283-286 | taker | 4 | 0 to 1 | who recovered a card since the shuffle, by seat, one-hot |
| 287 | taken_when | 1 | 0 to 1 | cards played since the shuffle when it was recovered, / all cards |
| 288-302 | taken_from | 15 | 0 to 0.75 | cards of the trick it was recovered from, / 4 |
| 303-317 | taken | 15 | 0 to 1 | the card recovered, if by the observer, one-hot |
| 318-677 | plays | 24 x 15 | 0 to 1 | cards played since the shuffle in order, one-hot; 0 if hidden from here |
| 678-737 | hands | 4 x 15 | 0 to 0.75 | cards in every hand by seat, / 4 |
| 738-752 | hidden_card | 15 | 0 to 1 | the hidden card of the trick, one-hot |
| 753-767 | recovered_card | 15 | 0 to 1 | the card recovered since the shuffle, one-hot |
| 768-827 | all_given | 4 x 15 | 0 to 1 | card put aside in this deal's exchange, by seat, one-hot |

<!-- end of generated -->

## Rewards

Zero until the end. `outcome`: 1 for every member of the winning clan, -1 for the others.

## Termination

When a clan has won two rounds; there is no draw. A game that has taken 2,000 decisions is truncated, and pays 0.

## Version history

- v0: first release.
"""

from typing import Any

from parlour.envs.core.errors import ConfigError
from parlour.envs.core.game import Game, Rules
from parlour.envs.core.layout import Actions, Family
from parlour.envs.core.options import read_opener, read_players, read_reward, read_whole, told_opener
from parlour.envs.core.registry import Door
from parlour.envs.kitsu import legal, observation, redeal, rules, state, text
from parlour.envs.kitsu.components import (
    CARD_TYPES,
    MAX_PLAYERS,
    MAX_TRACK,
    MAX_TRICK,
    MODES,
    NO_CARD,
    NO_TOKEN,
    TOKENS,
)

PLAYERS = (2, 4, 6)
CONFIGURATIONS: tuple[dict[str, Any], ...] = (
    *({"players": n} for n in PLAYERS),
    {"track_length": 5, "first_player": 3, "reward": "margin"},
    {"players": 6, "track_length": 30},
)
"""What `parlour check` tries."""

RULES = Rules(
    owner="kitsu",
    record=state.RECORD,
    setup=rules.setup,
    legal=legal.legal,
    apply=rules.apply,
    observe=observation.observe,
    remember=observation.remember,
    reveal=observation.reveal,
    redeal=redeal.redeal,
    scores=rules.scores,
    returns=rules.returns,
)

ACTIONS = Actions(
    (
        Family("play", CARD_TYPES * MODES, "play a card of this type in this mode; 0-14 put it aside in the exchange"),
        Family("destroy", MAX_TRICK, "destroy the card at this position of the trick"),
        Family("recover", CARD_TYPES, "recover a card of this type"),
        Family("recover none", 1, "recover nothing"),
        Family("take", len(TOKENS), "take this token"),
        Family("give", MAX_PLAYERS, "give it to the player so many seats clockwise of the chooser"),
    )
)
"""The action ids [KIT-50]."""


def make(
    door: Door, players: int = 4, track_length: int = 12, first_player: int | None = None, reward: str = "outcome"
) -> Game:
    """The game in one configuration."""
    players = read_players(players, PLAYERS)
    track_length = _read_track(track_length)
    six = players == MAX_PLAYERS
    opener = read_opener(first_player, players)
    blank = state.RECORD.blank(
        players=players,
        teams=2,
        reward=read_reward(reward),
        track_length=track_length,
        opener=opener,
        hand_size=5 if six else 6,
        trick_size=6 if six else 4,
        cards=30 if six else 24,
        held=NO_TOKEN,
        given=NO_CARD,
    )
    return Game(
        name=door.name,
        title=door.title,
        version=door.version,
        config={
            "players": players,
            "track_length": track_length,
            "first_player": told_opener(opener),
            "reward": reward,
        },
        players=players,
        teams=2,
        rules=RULES,
        blank=blank,
        actions=ACTIONS,
        layout=observation.observation_layout(players),
        memory=observation.memory_layout(players),
        whole=observation.whole_layout(players),
        action_text=text.action_text,
        action_text_now=text.action_text_now,
        describe=text.describe,
        board=text.board,
        overheard=text.overheard,
        private=text.private,
        why_not=text.why_not,
        components=text.components,
    )


def _read_track(length: int) -> int:
    """The last space of the track [KIT-2]."""
    if not 1 <= (whole := read_whole("track_length", length)) <= MAX_TRACK:
        raise ConfigError(f"track_length must be a whole number from 1 to {MAX_TRACK}, got {length!r}")
    return whole
