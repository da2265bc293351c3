"""Kintsugi and Broken and Beautiful."""

from collections.abc import Iterable
from typing import Any

import numpy as np

from parlour.envs.core.game import Game, Rules
from parlour.envs.core.layout import Actions, Family
from parlour.envs.core.options import read_opener, read_players, read_reward, read_seats
from parlour.envs.core.registry import Door
from parlour.envs.kintsugi import observation, rules
from parlour.envs.kintsugi.components import DEFAULT_DECK, EDITIONS, MAX_CARDS, TOKENS, Deck, read_deck
from parlour.envs.kintsugi.text import Words

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
    players = read_players(players, (2, 3, 4))
    cards = read_deck(deck, players)
    seats = read_seats("novices", novices, players)
    number = EDITIONS.index(edition)
    blank = rules.RECORD.blank(
        players=players,
        reward=read_reward(reward),
        edition=number,
        patterns=len(cards.patterns),
        cards=len(cards.cards),
        unlimited=bool(unlimited_supply),
        novices=sum(1 << seat for seat in seats),
        opener=read_opener(first_player, players),
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
            "first_player": first_player,
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
