"""Kitsu played slowly and plainly, from envs/kitsu/RULES.md alone: the yardstick for the fast environment.

Cards are strings ("blue 1" .. "blue 6", "orange 1" .. "orange 6", "white", "black", "katana"), tokens are strings,
clans are 0 (blue) and 1 (orange), seats are 0 .. players - 1 and belong to clan seat % 2.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

NOBODY = -1
COLOURS = ("blue", "orange")
TOKENS = ("PLUS3", "NO_ADVANCE", "HIDE", "RECOVER", "INVERT")
NUMBERS = {2: "111223456", 4: "111223456", 6: "111122233456"}  # of each colour, by players
SPECIALS = ("white", "black", "katana")
UNSEEN = "?"  # stands in knows() for a card that the seat cannot see

CARD_TYPES = 15
FIRST_KATANA, FIRST_RECOVER, RECOVER_NONE, FIRST_TAKE, FIRST_GIVE, ACTIONS = 105, 111, 126, 127, 132, 138
ROUNDS_TO_WIN, ADVANCE_FOR_TOKEN, MOST_DECISIONS = 2, 4, 2000

# chance("leader", seats) returns one of the seats; chance("shuffle", cards) the same cards in dealing order.
Chance = Callable[[str, list[Any]], Any]


class RandomChance:
    """Chance by a seeded generator, for self-play."""

    def __init__(self, seed: int | None = None) -> None:
        self._random = random.Random(seed)

    def __call__(self, purpose: str, options: list[Any]) -> Any:
        if purpose == "leader":
            return self._random.choice(options)
        return self._random.sample(options, len(options))


@dataclass
class Played:
    """One card of the trick on the table, with the token played on it."""

    seat: int
    card: str
    destroyed: bool = False
    hidden: bool = False
    token: str | None = None  # one of mode_labels


def clan_of(seat: int) -> int:
    return seat % 2


def full_deck(players: int) -> list[str]:
    """Every card of the game, sorted (KIT-1)."""
    numbers = [f"{colour} {value}" for colour in COLOURS for value in NUMBERS[players]]
    return sorted(numbers + 2 * list(SPECIALS))


def colour_of(card: str) -> str | None:
    """The printed colour of a number card; None for a special card."""
    return None if card in SPECIALS else card.split()[0]


def card_types(clan: int) -> list[str]:
    """The 15 card types in the order of KIT-50, as a player of this clan counts them."""
    own, other = COLOURS[clan], COLOURS[1 - clan]
    return [f"{own} {v}" for v in range(1, 7)] + [f"{other} {v}" for v in range(1, 7)] + list(SPECIALS)


def mode_labels(clan: int) -> list[str | None]:
    """The 7 play modes in the order of KIT-50: the token laid on the card, None for plain, absolute colours."""
    return [None, f"PLUS3 {COLOURS[clan]}", f"PLUS3 {COLOURS[1 - clan]}", *TOKENS[1:]]


class Kitsu:
    """One game. Every attribute is plain data, so a test may set a position up by assigning to them.

    describe() has these keys ("per seat" is a list over seats 0, 1, .., "per clan" is [blue, orange], "sorted" is
    Python's order of strings):
    - phase: "exchange", "play", "katana", "recover", "take token", "give token" or "over" (won or truncated).
    - player, truncated: the seat to move, None when over; whether KIT-46 ended the game.
    - hands: per seat, the cards in hand, sorted; without a card put aside. Empty when the game was won (KIT-42).
    - pile: the face-down pile, top first; empty unless 2 play.
    - trick: the cards on the table in order of play, each {"seat", "card", "destroyed", "hidden", "token"}; token is
      None, "PLUS3 blue", "PLUS3 orange", "NO_ADVANCE", "HIDE", "RECOVER" or "INVERT". A finished trick leaves the
      table at once, so this is empty while a token is taken and given.
    - last_trick: the last trick finished since the shuffle, sorted, without a card that RECOVER took from it.
    - discard: the whole discard, sorted; contains last_trick.
    - aside: per seat, the card put aside in a running exchange, else None; all None once the exchange is done.
    - given, received: per seat, the card given and the card received in this deal's exchange; None until it is done.
    - pawns, rounds_won: per clan, the space on the track and the rounds won.
    - leader: the seat that leads this trick; as soon as a trick is finished, the seat after it (KIT-16).
    - tokens: per seat, the token held or None. In phase "give token" the chooser holds the token just taken.
    - pool: the tokens that can be taken, in the order of KIT-3.
    - out: the tokens used in this round, from the moment of the play, in the order of KIT-3.
    - tricks, decisions: tricks finished since the shuffle, decisions taken in the game.
    - toggles: inversions so far in this trick: White Kitsune lying face up plus INVERT tokens.
    - demand: the colour that the next play of this trick is asked for by a Black Kitsune, else None.
    - voids: per seat, the colours (sorted) that an unmet demand has shown everyone to be absent from that hand.
      Written when a face-up card fails to meet a demand, and for a hidden card at its reveal. Forgotten when this
      player draws or takes a recovered card (not when taking none), and at the shuffle.
    - scores: per seat, the rounds won by the own clan.
    """

    def __init__(self, *, players: int = 4, track_length: int = 12, reward: str = "outcome", chance: Chance) -> None:
        assert players in NUMBERS
        assert reward in ("outcome", "margin")
        self.players, self.track_length, self.reward, self.chance = players, track_length, reward, chance
        self.hand_size, self.plays_per_trick = (5, 6) if players == 6 else (6, 4)
        self.rounds_won = [0, 0]
        self.tokens: list[str | None] = [None] * players
        self.decisions = 0
        self.truncated = False
        self._start_round(list(range(players)))

    def _start_round(self, possible_leaders: list[int]) -> None:
        """KIT-10, KIT-11."""
        self.pawns = [0, 0]
        self.pool = [token for token in TOKENS if token not in self.tokens]
        self.out: list[str] = []
        self.leader: int = self.chance("leader", possible_leaders)
        assert self.leader in possible_leaders
        self._deal()

    def _deal(self) -> None:
        """KIT-12, KIT-18: shuffle all cards, deal them, forget what was known; then the exchange, if any."""
        cards = list(self.chance("shuffle", full_deck(self.players)))
        assert sorted(cards) == full_deck(self.players)
        h = self.hand_size
        self.hands = [sorted(cards[seat * h : (seat + 1) * h]) for seat in range(self.players)]
        self.pile = cards[self.players * h :]
        self.discard: list[str] = []
        self.trick: list[Played] = []
        self.last_trick: list[str] = []
        self.tricks = 0
        self.aside: list[str | None] = [None] * self.players
        self.given: list[str | None] = [None] * self.players
        self.received: list[str | None] = [None] * self.players
        self.voids: list[set[str]] = [set() for _ in range(self.players)]
        # Only for knows(): the finished tricks as all have seen them, who took which card from which trick, and
        # what happened since the shuffle, as (kind, seat, what that seat saw, what the others saw).
        self.seen_tricks: list[list[str]] = []
        self.recovery: dict[str, Any] | None = None
        self.log: list[tuple[str, int, Any, Any]] = []
        for seat in range(self.players):
            self._tell("deal", seat, tuple(self.hands[seat]), UNSEEN)
        self.phase = "play" if self.players == 2 else "exchange"
        self.player = self.leader

    def _end_round(self, winner: int) -> None:
        """KIT-42."""
        self.rounds_won[winner] += 1
        self.discard += [card for hand in self.hands for card in hand]
        self.hands = [[] for _ in range(self.players)]
        if self.rounds_won[winner] == ROUNDS_TO_WIN:
            self._stop()
        else:
            self._start_round(self._members(winner))

    def _members(self, clan: int) -> list[int]:
        return [seat for seat in range(self.players) if clan_of(seat) == clan]

    def _stop(self) -> None:
        self.phase = "over"
        self.player = NOBODY

    def _tell(self, kind: str, seat: int, what: Any, to_others: Any) -> None:
        self.log.append((kind, seat, what, to_others))

    def legal(self) -> set[int]:
        """The legal action ids of the player to move (KIT-50); empty when over."""
        if self.phase == "over":
            return set()
        types, modes = card_types(clan_of(self.player)), mode_labels(clan_of(self.player))
        if self.phase == "exchange":
            return {types.index(card) for card in self.hands[self.player]}
        if self.phase == "play":
            plays = [(card, mode) for card in self._playable_cards() for mode in self._modes(card)]
            return {types.index(card) + CARD_TYPES * modes.index(mode) for card, mode in plays}
        if self.phase == "katana":
            return {FIRST_KATANA + position for position in self._katana_targets()}
        if self.phase == "recover":
            return {RECOVER_NONE} | {FIRST_RECOVER + types.index(card) for card in self.last_trick}
        if self.phase == "take token":
            return {FIRST_TAKE + TOKENS.index(token) for token in self.pool}
        return {FIRST_GIVE + distance for distance in range(0, self.players, 2)}

    def _playable_cards(self) -> list[str]:
        """KIT-23: the number cards of the demanded colour if the player has any, else the whole hand."""
        hand, demand = self.hands[self.player], self._demand(len(self.trick))
        return [card for card in hand if demand is not None and colour_of(card) == demand] or hand

    def _modes(self, card: str) -> list[str | None]:
        """KIT-15 and what KIT-32 and KIT-33 forbid: what may be laid on this card."""
        token = self.tokens[self.player]
        if token is None:
            return [None]
        if token == "PLUS3":
            return [None, "PLUS3 blue", "PLUS3 orange"]
        if (token == "HIDE" and card in ("katana", "black")) or (token == "RECOVER" and self.tricks == 0):
            return [None]
        return [None, token]

    def _demand(self, position: int) -> str | None:
        """KIT-23: the colour demanded of the play at this position by a Black Kitsune just before it."""
        if 0 < position < self.plays_per_trick and self.trick[position - 1].card == "black":
            return COLOURS[clan_of(self.trick[position - 1].seat)]
        return None

    def _katana_targets(self) -> list[int]:
        """KIT-21: positions in the trick."""
        return [
            position
            for position, played in enumerate(self.trick)
            if played.seat != self.player and colour_of(played.card) and not played.hidden and not played.destroyed
        ]

    def action_meaning(self, action: int) -> tuple[Any, ...]:
        """An action of the player to move, with absolute colours and seats.

        ("exchange", card), ("play", card, token as in describe's trick), ("katana", position), ("recover", card or
        None), ("take token", token), ("give token", seat). In phase "exchange" the ids below 15 are exchanges.
        """
        if self.player == NOBODY:
            raise ValueError(f"action {action} means nothing: the game is over")
        if not 0 <= action < ACTIONS:
            raise ValueError(f"actions are 0 to {ACTIONS - 1}, got {action}")
        types, modes = card_types(clan_of(self.player)), mode_labels(clan_of(self.player))
        if self.phase == "exchange" and action < CARD_TYPES:
            return ("exchange", types[action])
        if action < FIRST_KATANA:
            return ("play", types[action % CARD_TYPES], modes[action // CARD_TYPES])
        if action < FIRST_RECOVER:
            return ("katana", action - FIRST_KATANA)
        if action < FIRST_TAKE:
            return ("recover", None if action == RECOVER_NONE else types[action - FIRST_RECOVER])
        if action < FIRST_GIVE:
            return ("take token", TOKENS[action - FIRST_TAKE])
        return ("give token", (self.player + action - FIRST_GIVE) % self.players)

    def apply(self, action: int) -> None:
        """Take one decision for the player to move, and all that follows from it."""
        if action not in self.legal():
            raise ValueError(f"action {action} is not legal in phase {self.phase!r}; legal: {sorted(self.legal())}")
        effects: dict[str, Callable[..., None]] = {
            "exchange": self._put_aside,
            "play": self._play,
            "katana": self._destroy,
            "recover": self._recover,
            "take token": self._take_token,
            "give token": self._give_token,
        }
        kind, *choice = self.action_meaning(action)
        self.decisions += 1
        effects[kind](*choice)
        if self.phase != "over" and self.decisions == MOST_DECISIONS:  # KIT-46
            self.truncated = True
            self._stop()

    def _put_aside(self, card: str) -> None:
        """KIT-13."""
        self.hands[self.player].remove(card)
        self.aside[self.player] = card
        self._tell("put aside", self.player, card, UNSEEN)
        self.player = (self.player + 1) % self.players
        if None in self.aside:
            return
        for giver, gift in enumerate(self.aside):
            receiver = (giver + 2) % self.players
            self.given[giver] = self.received[receiver] = gift
            assert gift is not None
            self.hands[receiver].append(gift)
            self._tell("receive", receiver, gift, UNSEEN)
        self.aside = [None] * self.players
        self.phase = "play"
        self.player = self.leader

    def _play(self, card: str, token: str | None) -> None:
        """KIT-15: a card, with or without the player's token; the phases of KIT-51 follow from it."""
        hidden = token == "HIDE"
        self.hands[self.player].remove(card)
        self.trick.append(Played(self.player, card, hidden=hidden, token=token))
        self._tell("play", self.player, (card, token), (UNSEEN if hidden else card, token))
        if token is not None:
            self.out = [t for t in TOKENS if t in self.out or t == self.tokens[self.player]]
            self.tokens[self.player] = None
        if not hidden:
            self._note_void(len(self.trick) - 1)
        if card == "katana" and self._katana_targets():
            self.phase = "katana"
        else:
            self._after_katana()

    def _note_void(self, position: int) -> None:
        """A card seen to fail a demand shows that its player had no number card of that colour."""
        played, demand = self.trick[position], self._demand(position)
        if demand is not None and colour_of(played.card) != demand:
            self.voids[played.seat].add(demand)

    def _destroy(self, position: int) -> None:
        """KIT-21."""
        self.trick[position].destroyed = True
        self._tell("katana", self.player, position, position)
        self._after_katana()

    def _after_katana(self) -> None:
        if self.trick[-1].token == "RECOVER":
            self.phase = "recover"
        else:
            self._after_play()

    def _recover(self, card: str | None) -> None:
        """KIT-33."""
        if card is not None:
            self.last_trick.remove(card)
            self.discard.remove(card)
            self.hands[self.player].append(card)
            self.voids[self.player].clear()
            self.recovery = {"seat": self.player, "from": sorted(self.seen_tricks[-1]), "card": card}
        self._tell("recover", self.player, card, None if card is None else UNSEEN)
        self._after_play()

    def _after_play(self) -> None:
        """KIT-14."""
        self.phase = "play"
        self.player = (self.leader + len(self.trick)) % self.players
        if len(self.trick) == self.plays_per_trick:
            self._end_trick()

    def _end_trick(self) -> None:
        """KIT-40 to KIT-43 and KIT-16; the draw and the redeal come after a token was taken."""
        self._reveal()
        blue, orange = self._sums()
        winner = 0 if blue > orange else 1  # of equal sums either will do: the steps are 0
        stopped = any(played.token == "NO_ADVANCE" for played in self.trick)
        steps = 0 if stopped else min(abs(blue - orange), self.track_length - self.pawns[winner])
        self.pawns[winner] += steps
        self._clear_table()
        losers = self._members(1 - winner)
        if self.pawns[winner] == self.track_length:
            self._end_round(winner)
        elif steps >= ADVANCE_FOR_TOKEN and self.pool and all(self.tokens[s] is None for s in losers):
            self.phase = "take token"
            self.player = self.leader if self.leader in losers else (self.leader + 1) % self.players
        else:
            self._next_trick()

    def _reveal(self) -> None:
        """KIT-32."""
        for position, played in enumerate(self.trick):
            if played.hidden:
                played.hidden = False
                self._tell("reveal", played.seat, played.card, played.card)
                self._note_void(position)

    def _toggles(self) -> int:
        """KIT-22, KIT-34."""
        whites = sum(played.card == "white" and not played.hidden for played in self.trick)
        return whites + sum(played.token == "INVERT" for played in self.trick)

    def _sums(self) -> tuple[int, int]:
        """What blue and orange reach in this trick (KIT-40)."""
        sums = {"blue": 0, "orange": 0}
        for played in self.trick:
            colour = colour_of(played.card)
            if colour is not None and not played.destroyed:
                sums[colour] += int(played.card.split()[1])
            if played.token in ("PLUS3 blue", "PLUS3 orange"):
                sums[played.token.split()[1]] += 3
        if self._toggles() % 2 == 1:
            return sums["orange"], sums["blue"]
        return sums["blue"], sums["orange"]

    def _clear_table(self) -> None:
        cards = [played.card for played in self.trick]
        self.trick = []
        self.last_trick = list(cards)
        self.seen_tricks.append(cards)
        self.discard += cards
        self.tricks += 1
        self.leader = (self.leader + 1) % self.players

    def _take_token(self, token: str) -> None:
        """KIT-43. The chooser holds the token until giving it."""
        self.pool.remove(token)
        self.tokens[self.player] = token
        self._tell("take token", self.player, token, token)
        if self.players == 2:
            self._next_trick()
        else:
            self.phase = "give token"

    def _give_token(self, receiver: int) -> None:
        """KIT-43. The chooser may be the receiver."""
        token, self.tokens[self.player] = self.tokens[self.player], None
        self.tokens[receiver] = token
        self._tell("give token", self.player, receiver, receiver)
        self._next_trick()

    def _next_trick(self) -> None:
        """KIT-17, KIT-18."""
        if self.pile:
            for seat in range(self.players):
                drawn, self.pile = self.pile[:2], self.pile[2:]
                self.hands[seat] += drawn
                self.voids[seat].clear()
                self._tell("draw", seat, tuple(sorted(drawn)), UNSEEN)
        if [] in self.hands:
            self._deal()
        else:
            self.phase = "play"
            self.player = self.leader

    def scores(self) -> list[int]:
        """Rounds won by the own clan, per seat."""
        return [self.rounds_won[clan_of(seat)] for seat in range(self.players)]

    def returns(self) -> list[Fraction]:
        """Rewards per seat: zero until the game is won, and when it is truncated."""
        if self.phase != "over" or self.truncated:
            return [Fraction(0)] * self.players
        lead = self.rounds_won[0] - self.rounds_won[1]
        of_blue = Fraction(lead, 2) if self.reward == "margin" else Fraction(lead, abs(lead))
        return [of_blue if clan_of(seat) == 0 else -of_blue for seat in range(self.players)]

    def _public(self) -> dict[str, Any]:
        """The keys of describe() that everyone can see."""
        return {
            "phase": self.phase,
            "player": None if self.player == NOBODY else self.player,
            "truncated": self.truncated,
            "pawns": list(self.pawns),
            "rounds_won": list(self.rounds_won),
            "leader": self.leader,
            "tokens": list(self.tokens),
            "pool": list(self.pool),
            "out": list(self.out),
            "tricks": self.tricks,
            "decisions": self.decisions,
            "toggles": self._toggles(),
            "demand": self._demand(len(self.trick)),
            "voids": [sorted(colours) for colours in self.voids],
            "scores": self.scores(),
        }

    def describe(self) -> dict[str, Any]:
        """The whole state; the keys are those of the class docstring."""
        return self._public() | {
            "hands": [sorted(hand) for hand in self.hands],
            "pile": list(self.pile),
            "trick": [vars(played).copy() for played in self.trick],
            "last_trick": sorted(self.last_trick),
            "discard": sorted(self.discard),
            "aside": list(self.aside),
            "given": list(self.given),
            "received": list(self.received),
        }

    def knows(self, seat: int) -> dict[str, Any]:
        """What a seat with a perfect memory knows since the last shuffle (KIT-45), and nothing more.

        The public keys of describe() as they are (those of _public), and:
        - seat, hand: whose knowledge this is, and the own hand, sorted.
        - hand_sizes, pile_size: per seat, and of the pile.
        - trick: as in describe(), but the card of another player that is still hidden is "?".
        - last_trick: the cards of the last finished trick, sorted, as all saw them, whether or not one was recovered.
        - played: the cards of all tricks finished since the shuffle, sorted; one recovered and played again is twice.
        - chosen: per seat, whether a card lies aside in a running exchange.
        - aside, given, received: the own cards, as in describe().
        - recovered: None, or {"seat", "from", "card"}: who took a card since the shuffle, from which cards (sorted),
          and which it was, "?" to all but the picker.
        - history: the events since the shuffle in order, (kind, seat, what), "?" where this seat did not see what.
          It is all there is to know; the other keys are its digest. Kinds: "deal" (hand), "put aside" (card),
          "receive" (card), "play" ((card, token)), "katana" (position), "recover" (card, None for none), "reveal"
          (card), "take token" (token), "give token" (receiver), "draw" (cards).
        """
        masks = [{"card": UNSEEN} if played.hidden and played.seat != seat else {} for played in self.trick]
        recovered = self.recovery
        if recovered is not None and recovered["seat"] != seat:
            recovered = recovered | {"card": UNSEEN}
        return self._public() | {
            "seat": seat,
            "hand": sorted(self.hands[seat]),
            "hand_sizes": [len(hand) for hand in self.hands],
            "pile_size": len(self.pile),
            "trick": [vars(played) | mask for played, mask in zip(self.trick, masks, strict=True)],
            "last_trick": sorted(self.seen_tricks[-1]) if self.seen_tricks else [],
            "played": sorted(card for cards in self.seen_tricks for card in cards),
            "chosen": [card is not None for card in self.aside],
            "aside": self.aside[seat],
            "given": self.given[seat],
            "received": self.received[seat],
            "recovered": recovered,
            "history": [(kind, who, own if who == seat else others) for kind, who, own, others in self.log],
        }
