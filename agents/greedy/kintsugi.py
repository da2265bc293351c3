"""The greedy player of Kintsugi and Broken and Beautiful: it counts the points that a collection may expect.

A card stays whole, or it breaks and is mended, or it breaks and is lost. The chance of the first follows from the
public top card, the cards that may be left over and the unseen cards; that of the second from the tokens at hand and
the price of all that breaks. An action is worth the points that the own collection may then expect, less a part of
what the others may. The constants were found by playing variants against each other.
"""

import numpy as np

from parlour.envs.core.jit import kernel
from parlour.envs.core.record import Numbers, State
from parlour.envs.kintsugi.components import BOWL, CUP, FR, MAX_KINDS, MAX_PATTERNS, PLATE, SAUCER, TEA_JAR, VASE
from parlour.envs.kintsugi.components import POTTERY as POTTERY_NAMES
from parlour.envs.kintsugi.rules import (
    DRAFT,
    can_repair,
    draft_area,
    gold_kind,
    pass_action,
    pottery_kinds,
    repair_cost,
    repair_from,
    repaired_of,
    sell_from,
    top_card,
    unbroken_of,
    vase_points,
)

POTTERY = len(POTTERY_NAMES)
TYPE = np.array([[min(kind // p, POTTERY) for kind in range(MAX_KINDS)] for p in (1, *range(1, MAX_PATTERNS + 1))])
"""The type of each kind, by the number of patterns; `POTTERY` for all that cannot break."""

# --- Constants

BREAKS = 0.3
"""Breaks to reckon with in a round ahead: fewer than the two there are, for tokens yet to be earned mend the rest."""
EARNINGS = 0.8
"""Tokens to spare from a round ahead."""
SURCHARGE = 0.5
"""What a repair costs above the value of its card."""
SURE = 0.95
"""The chance that a card is mended when there are tokens for all."""
RIVALRY = 0.35
"""How much the others' points count against the own."""
HALFWAY = 0.64
"""So many rounds ahead give half the hope for further cards of a set; many give all of it."""
PLATE_HOPE = 1.3
"""What a plate without its like may hope for."""
BOWL_HOPE = 8.0
VASE_HOPE = 1.5
CUP_HOPE = 0.5
SAUCER_HOPE = 0.5
"""What every such card (a saucer: without a cup) may gain by further cards."""
TEAPOT_HOPE = 0.54
"""Cards of a teapot's pattern still to come in a round ahead."""
JAR_TIE = 0.25
JAR_LEAD = 0.3
"""The chance to end with most tea jars when level with the others, and what every jar more adds."""


@kernel
def weigh(s: State, mask: Numbers, worth: Numbers) -> None:
    lasting, future = np.empty(POTTERY + 1), np.empty(POTTERY + 1)
    sums = np.empty((2, POTTERY))
    write_lasting(s, future)
    if s.phase == DRAFT:
        weigh_drafts(s, future, lasting, sums, worth)
    else:
        weigh_repairs(s, future, sums, worth)


@kernel
def weigh_drafts(s: State, future: Numbers, lasting: Numbers, sums: Numbers, worth: Numbers) -> None:
    """Every card of the draft area, kept and sold."""
    seat = int(s.player)
    for drafted in draft_area(s):
        kind = int(drafted)
        write_this_round(s, kind, future, lasting)
        theirs = RIVALRY * rivals(s, seat, lasting, sums)
        given = int(s.values[kind]) if s.unlimited else min(int(s.values[kind]), int(s.supply))
        s.tokens[seat] += given
        worth[sell_from(s) + kind] = prospects(s, seat, lasting, True, sums) - theirs
        s.tokens[seat] -= given
        if kind != gold_kind(s):
            s.unbroken[seat, kind] += 1
            worth[kind] = prospects(s, seat, lasting, True, sums) - theirs
            s.unbroken[seat, kind] -= 1


@kernel
def weigh_repairs(s: State, lasting: Numbers, sums: Numbers, worth: Numbers) -> None:
    """Every repair, and a pass, which in the last round leaves the rest broken."""
    seat = int(s.player)
    worth[pass_action(s)] = prospects(s, seat, lasting, rounds_ahead(s) > 0, sums)
    for kind in range(pottery_kinds(s)):
        if can_repair(s, seat, kind):
            cost = repair_cost(s, seat, kind)
            s.tokens[seat] -= cost
            s.broken[seat, kind] -= 1
            s.repaired[seat, kind] += 1
            worth[repair_from(s) + kind] = prospects(s, seat, lasting, True, sums)
            s.tokens[seat] += cost
            s.broken[seat, kind] += 1
            s.repaired[seat, kind] -= 1


# --- What breaks


@kernel
def rounds_ahead(s: State) -> int:
    """Rounds still to come after this one."""
    return (int(s.cards) - int(s.top)) // (2 * int(s.players) + 1)


@kernel
def write_lasting(s: State, lasting: Numbers) -> None:
    """The chance of each type to last through the rounds ahead, by its share of the unseen cards."""
    types = TYPE[s.patterns]
    lasting[:] = 0.0
    for i in range(int(s.top) + 1, s.cards):
        lasting[types[s.deck[i]]] += 1.0
    unseen = max(1, int(s.cards) - int(s.top) - 1)
    breaks = BREAKS * rounds_ahead(s)
    for type in range(POTTERY):
        lasting[type] = (1.0 - lasting[type] / unseen) ** breaks


@kernel
def write_this_round(s: State, taken: int, future: Numbers, lasting: Numbers) -> None:
    """The same with this round's break: by the top card, and by any card of the draft area but the one taken."""
    types = TYPE[s.patterns]
    lasting[:] = 0.0
    for kind in draft_area(s):
        lasting[types[kind]] += 1.0
    lasting[types[taken]] -= 1.0
    share = 1.0 / (int(s.draft_size) - 1)
    for type in range(POTTERY):
        lasting[type] = future[type] * (1.0 - share * lasting[type])
    lasting[types[top_card(s)]] = 0.0


@kernel
def repair_bill(s: State, seat: int, lasting: Numbers) -> float:
    """What it would cost to mend all that is broken and all that will be."""
    unbroken, broken, values = s.unbroken[seat], s.broken[seat], s.values
    bill = 0.0
    kind = 0
    for type in range(POTTERY):
        breaks = 1.0 - lasting[type]
        for _ in range(s.patterns):
            bill += (int(broken[kind]) + breaks * int(unbroken[kind])) * (int(values[kind]) + SURCHARGE)
            kind += 1
    return bill


# --- What a collection may expect


@kernel
def rivals(s: State, seat: int, lasting: Numbers, sums: Numbers) -> float:
    """What the others may expect, on average."""
    points = 0.0
    for other in range(s.players):
        if other != seat:
            points += prospects(s, other, lasting, True, sums)
    return points / (int(s.players) - 1)


@kernel
def prospects(s: State, seat: int, lasting: Numbers, mending: bool, sums: Numbers) -> float:
    """The points that a seat may expect at the end."""
    ahead = rounds_ahead(s)
    purse = int(s.tokens[seat]) + EARNINGS * ahead
    bill = repair_bill(s, seat, lasting)
    mended = min(SURE, purse / bill) if mending and bill > 0.0 else 0.0
    teapots = sum_up(s, seat, lasting, mended, ahead, sums)
    wood = pottery_kinds(s)
    boxes = int(s.unbroken[seat, wood + 1]) * min(4.0, purse - mended * bill)
    return teapots + set_points(s, seat, lasting, ahead, sums) + 2 * int(s.unbroken[seat, wood]) + boxes


@kernel
def sum_up(s: State, seat: int, lasting: Numbers, mended: float, ahead: int, sums: Numbers) -> float:
    """Write how many whole and how many repaired cards of each type to expect, and return the points of teapots."""
    sums[:] = 0.0
    unbroken, broken, repaired = s.unbroken[seat], s.broken[seat], s.repaired[seat]
    whole_sum, fine_sum = sums[0], sums[1]
    points = 0.0
    for pattern in range(s.patterns):
        matching = TEAPOT_HOPE * ahead
        whole = fine = 0.0
        kind = pattern
        for type in range(POTTERY):
            lasts = int(unbroken[kind]) * lasting[type]
            fine = int(repaired[kind]) + mended * (int(broken[kind]) + int(unbroken[kind]) - lasts)
            whole = lasts + fine
            matching += whole
            whole_sum[type] += whole
            fine_sum[type] += fine
            kind += int(s.patterns)
        points += (whole + fine) * matching
    return points


@kernel
def set_points(s: State, seat: int, lasting: Numbers, ahead: int, sums: Numbers) -> float:
    """The points of all types but the teapots, with what they may hope for."""
    whole, fine = sums[0], sums[1]
    hope = ahead / (ahead + HALFWAY)
    points = cup_points(whole[CUP], fine[CUP], whole[SAUCER], fine[SAUCER], SAUCER_HOPE * hope)
    points += plate_points(whole[PLATE], PLATE_HOPE * hope) + 2 * fine[PLATE]
    points += square(whole[BOWL]) + fine[BOWL]
    points += jar_share(s, seat, whole[TEA_JAR], lasting) + fine[TEA_JAR]
    points += between_vases(whole[VASE]) + fine[VASE] * (2 if s.edition == FR else 1)
    points += hope * (CUP_HOPE * whole[CUP] + BOWL_HOPE * whole[BOWL] + VASE_HOPE * whole[VASE])
    return float(points)


@kernel
def cup_points(cups: float, fine_cups: float, saucers: float, fine_saucers: float, hope: float) -> float:
    """Cups, and saucers under as many of them as there are."""
    points = cups + 2 * fine_cups
    if saucers <= 0.0:
        return points
    used = min(cups, saucers)
    each = points / cups if cups > 0.0 else 0.0
    return points + used * each * (saucers + fine_saucers) / saucers + hope * (saucers - used)


@kernel
def plate_points(plates: float, hope: float) -> float:
    """Six a pair; between whole numbers in proportion."""
    n = int(plates)
    rest = plates - n
    half = hope if n % 2 == 0 else 6.0 - hope
    return 6.0 * (n // 2) + (hope if n % 2 else 0.0) + rest * half


@kernel
def square(bowls: float) -> float:
    """The square; between whole numbers in proportion."""
    n = int(bowls)
    return n * n + (bowls - n) * (2 * n + 1)


@kernel
def between_vases(vases: float) -> float:
    n = int(vases)
    return vase_points(n) + (vases - n) * (vase_points(n + 1) - vase_points(n))


@kernel
def jar_share(s: State, seat: int, jars: float, lasting: Numbers) -> float:
    """The part of the six points for most tea jars that the lead over the others promises."""
    most = 0.0
    for other in range(s.players):
        if other != seat:
            whole = repaired_of(s, other, TEA_JAR) + lasting[TEA_JAR] * unbroken_of(s, other, TEA_JAR)
            most = max(most, whole)
    return 6 * min(1.0, jars) * min(1.0, max(0.0, JAR_TIE + JAR_LEAD * (jars - most)))
