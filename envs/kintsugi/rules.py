"""The rules of Kintsugi and Broken and Beautiful. Clauses in brackets are those of RULES.md."""

from parlour.envs.core.jit import kernel
from parlour.envs.core.record import NOBODY, Field, Numbers, Record, State
from parlour.envs.core.rewards import pay_margin, share_win, wants_margin
from parlour.envs.core.rng import below, shuffle
from parlour.envs.core.seats import clockwise, seat_after
from parlour.envs.kintsugi.components import (
    BOWL,
    CUP,
    EN,
    FR,
    MAX_CARDS,
    MAX_KINDS,
    MAX_PLAYERS,
    MAX_VALUE,
    PLATE,
    SAUCER,
    TEA_JAR,
    TEAPOT,
    TRAY,
    VASE,
)

# --- State

DRAFT, REPAIR, OVER = range(3)
EVERY_SEAT = 2**MAX_PLAYERS - 1
MAX_TOKENS = MAX_CARDS * MAX_VALUE
MAX_POTTERY = MAX_KINDS - 3
MARGIN_SCALE = 20.0

RECORD = Record.of(
    Field("supply", "i2", 0, MAX_TOKENS, "tokens in the supply"),
    Field("tokens", "i2", 0, MAX_TOKENS, "tokens of each seat", (MAX_PLAYERS,)),
    Field("edition", "i1", EN, FR, "0 English, 1 French", fixed=True),
    Field("patterns", "i1", 1, 4, "patterns in the deck", fixed=True),
    Field("cards", "i1", 6, MAX_CARDS, "cards in the deck at the start", fixed=True),
    Field("values", "i1", 0, MAX_VALUE, "sale value and repair cost of each kind", (MAX_KINDS,), fixed=True),
    Field("unlimited", "i1", 0, 1, "whether the supply never runs short", fixed=True),
    Field("novices", "i1", 0, EVERY_SEAT, "bit mask of the seats that start with a token", fixed=True),
    Field("opener", "i1", NOBODY, MAX_PLAYERS - 1, "who is first player in round 1, -1: drawn", fixed=True),
    Field("deck", "i1", 0, MAX_KINDS - 1, "the deck as kinds; just before `top` lies the draft area", (MAX_CARDS,)),
    Field("top", "i1", 0, MAX_CARDS - 1, "where the deck's top card is"),
    Field("draft_size", "i1", 0, 2 * MAX_PLAYERS + 1, "cards in the draft area"),
    Field("round_number", "i1", 0, MAX_CARDS // 5, "rounds begun"),
    Field("phase", "i1", DRAFT, OVER, "0 draft, 1 repair, 2 over"),
    Field("first_player", "i1", 0, MAX_PLAYERS - 1, "holder of the first-player marker"),
    Field("unbroken", "i1", 0, MAX_CARDS, "unbroken cards of each kind by seat", (MAX_PLAYERS, MAX_KINDS - 1)),
    Field("broken", "i1", 0, MAX_CARDS, "broken cards of each pottery kind by seat", (MAX_PLAYERS, MAX_POTTERY)),
    Field("repaired", "i1", 0, MAX_CARDS, "repaired cards of each pottery kind by seat", (MAX_PLAYERS, MAX_POTTERY)),
    Field("repairs", "i1", 0, MAX_CARDS, "repairs of each seat this round", (MAX_PLAYERS,)),
    Field("free_repair", "i1", 0, EVERY_SEAT, "bit mask of the seats with a free repair left"),
    Field("passed", "i1", 0, EVERY_SEAT, "bit mask of the seats that have passed"),
)


@kernel
def pottery_kinds(s: State) -> int:
    return 7 * int(s.patterns)


@kernel
def type_of(s: State, kind: int) -> int:
    """The type of a kind: kinds run through the patterns of each pottery type, then tray, box, gold [KIN-50]."""
    pottery = pottery_kinds(s)
    return kind // int(s.patterns) if kind < pottery else TRAY + kind - pottery


@kernel
def top_card(s: State) -> int:
    """The public card on the deck [KIN-11]."""
    return int(s.deck[s.top])


@kernel
def draft_area(s: State) -> Numbers:
    """The cards to draft, where they lay on the deck before they were dealt."""
    start = int(s.top) - 2 * int(s.players) - 1
    cards: Numbers = s.deck[start : start + int(s.draft_size)]
    return cards


@kernel
def gold_kind(s: State) -> int:
    return pottery_kinds(s) + 2


# --- Actions [KIN-50]: keep a kind, sell a kind, repair a kind, pass


@kernel
def sell_from(s: State) -> int:
    return pottery_kinds(s) + 2


@kernel
def repair_from(s: State) -> int:
    return 2 * pottery_kinds(s) + 5


@kernel
def pass_action(s: State) -> int:
    return 3 * pottery_kinds(s) + 5


# --- Setup


@kernel
def setup(s: State) -> None:
    """Shuffle, hand tokens to novices, draw the first player, deal the first round [KIN-5, KIN-17, KIN-19]."""
    shuffle(s, s.deck, 0, s.cards)
    for seat in range(s.players):
        if (int(s.novices) >> seat) & 1:
            take_tokens(s, seat, 1)
    s.first_player = below(s, s.players) if s.opener == NOBODY else s.opener
    begin_round(s)


@kernel
def begin_round(s: State) -> None:
    """Deal two cards per player and one more [KIN-10]."""
    s.round_number += 1
    s.phase = DRAFT
    s.draft_size = 2 * int(s.players) + 1
    s.top += s.draft_size
    s.player = s.first_player


# --- Legal actions


@kernel
def legal(s: State, mask: Numbers) -> None:
    mask[:] = False
    if s.phase == DRAFT:
        legal_drafts(s, mask)
    else:
        legal_repairs(s, mask)


@kernel
def legal_drafts(s: State, mask: Numbers) -> None:
    """Any card of the draft area, to keep or to sell; gold only to sell [KIN-12, KIN-51]."""
    for kind in draft_area(s):
        mask[sell_from(s) + int(kind)] = True
        if kind != gold_kind(s):
            mask[kind] = True


@kernel
def legal_repairs(s: State, mask: Numbers) -> None:
    """Any own broken card that can be paid for, or pass [KIN-14]."""
    seat = int(s.player)
    mask[pass_action(s)] = True
    for kind in range(pottery_kinds(s)):
        mask[repair_from(s) + kind] = can_repair(s, seat, kind)


# --- Step


@kernel
def apply(s: State, action: int) -> None:
    if s.phase == DRAFT:
        draft_card(s, action)
    else:
        repair_or_pass(s, action)


@kernel
def draft_card(s: State, action: int) -> None:
    """Take a card and keep it or sell it at once [KIN-12]; after the last turn the pottery breaks."""
    seat = int(s.player)
    sold = action >= sell_from(s)
    kind = action - sell_from(s) if sold else action
    take_from_draft(s, kind)
    if sold:
        take_tokens(s, seat, s.values[kind])
    else:
        s.unbroken[seat, kind] += 1
    if s.draft_size > 1:
        s.player = snake_seat(s, draft_turn(s))
    else:
        break_pottery(s)
        begin_repairs(s)


@kernel
def take_from_draft(s: State, kind: int) -> None:
    draft = draft_area(s)
    i = 0
    while draft[i] != kind:
        i += 1
    draft[i] = draft[-1]
    s.draft_size -= 1


@kernel
def take_tokens(s: State, seat: int, wanted: int) -> None:
    """Tokens from the supply, as many as it has [KIN-5]."""
    given = int(wanted) if s.unlimited else min(int(wanted), int(s.supply))
    s.tokens[seat] += given
    if not s.unlimited:
        s.supply -= given


@kernel
def draft_turn(s: State) -> int:
    """Which of this round's 2n draft turns it is, from 0."""
    return 2 * int(s.players) + 1 - int(s.draft_size)


@kernel
def snake_seat(s: State, turn: int) -> int:
    """First player to last clockwise, then last to first [KIN-12]."""
    n = int(s.players)
    step = turn if turn < n else 2 * n - 1 - turn
    return seat_after(s, s.first_player, step)


@kernel
def break_pottery(s: State) -> None:
    """The left-over card and the top card break every unbroken pottery of their types [KIN-13]."""
    break_type(s, draft_area(s)[0])
    break_type(s, top_card(s))
    s.draft_size = 0


@kernel
def break_type(s: State, kind: int) -> None:
    """What a card showing at the end of the draft does: pottery breaks its like, gold repairs for free [KIN-13]."""
    p = int(s.patterns)
    if kind == gold_kind(s):
        s.free_repair = (1 << int(s.players)) - 1
    elif kind < pottery_kinds(s):
        first = int(kind) // p * p
        for seat in range(s.players):
            for hit in range(first, first + p):
                s.broken[seat, hit] += s.unbroken[seat, hit]
                s.unbroken[seat, hit] = 0


@kernel
def begin_repairs(s: State) -> None:
    s.phase = REPAIR
    ask_for_repair(s, s.first_player)


@kernel
def repair_cost(s: State, seat: int, kind: int) -> int:
    """The card's value plus the repairs already made this round; a free repair costs nothing [KIN-14]."""
    if (int(s.free_repair) >> seat) & 1:
        return 0
    return int(s.values[kind]) + int(s.repairs[seat])


@kernel
def can_repair(s: State, seat: int, kind: int) -> bool:
    return bool(s.broken[seat, kind] > 0 and repair_cost(s, seat, kind) <= s.tokens[seat])


@kernel
def can_repair_any(s: State, seat: int) -> bool:
    for kind in range(pottery_kinds(s)):
        if can_repair(s, seat, kind):
            return True
    return False


@kernel
def repair_or_pass(s: State, action: int) -> None:
    seat = int(s.player)
    if action == pass_action(s):
        s.passed |= 1 << seat
    else:
        repair_card(s, seat, action - repair_from(s))
    ask_for_repair(s, clockwise(s, seat))


@kernel
def repair_card(s: State, seat: int, kind: int) -> None:
    """Pay for a broken card and turn it over [KIN-14]. Where a pass is not final, everyone may come back [KIN-15]."""
    cost = repair_cost(s, seat, kind)
    s.tokens[seat] -= cost
    if not s.unlimited:
        s.supply += cost
    s.broken[seat, kind] -= 1
    s.repaired[seat, kind] += 1
    s.repairs[seat] += 1
    s.free_repair &= ~(1 << seat)
    if s.edition == EN:
        s.passed = 0


@kernel
def ask_for_repair(s: State, seat: int) -> None:
    """Ask the next seat that has not passed and can repair; who cannot passes by rule [KIN-15, KIN-16]."""
    seat = int(seat)
    everyone = (1 << int(s.players)) - 1
    while s.passed != everyone:
        if not (int(s.passed) >> seat) & 1:
            if can_repair_any(s, seat):
                s.player = seat
                return
            s.passed |= 1 << seat
        seat = clockwise(s, seat)
    end_round(s)


@kernel
def end_round(s: State) -> None:
    """The marker moves on and the next round begins, if there are cards for it [KIN-10, KIN-17, KIN-18]."""
    s.passed = 0
    s.free_repair = 0
    for seat in range(s.players):
        s.repairs[seat] = 0
    if int(s.cards) - int(s.top) < 2 * int(s.players) + 1:
        s.phase = OVER
        s.player = NOBODY
    else:
        s.first_player = clockwise(s, s.first_player)
        begin_round(s)


# --- Scoring. Broken cards count for nothing, anywhere.


@kernel
def over_patterns(cards: Numbers, type: int, p: int) -> int:
    """Cards of a pottery type in a table with p patterns. Unrolled: so short a loop costs more than its sum."""
    first = type * p
    found = int(cards[first])
    if p > 1:
        found += int(cards[first + 1])
    if p > 2:
        found += int(cards[first + 2])
    if p > 3:
        found += int(cards[first + 3])
    return found


@kernel
def unbroken_of(s: State, seat: int, type: int) -> int:
    return over_patterns(s.unbroken[seat], type, int(s.patterns))


@kernel
def repaired_of(s: State, seat: int, type: int) -> int:
    return over_patterns(s.repaired[seat], type, int(s.patterns))


@kernel
def pottery_points(s: State, seat: int, type: int) -> int:
    """What the cards of one pottery type score."""
    repaired = repaired_of(s, seat, type)
    owned = unbroken_of(s, seat, type) + repaired
    if type == CUP:
        return cup_points(s, seat, repaired, owned)
    if type == PLATE:
        return 6 * (owned // 2) + 2 * repaired  # [KIN-22]
    if type == BOWL:
        return owned * owned + repaired  # [KIN-23]
    if type == TEA_JAR:
        return (6 if most_tea_jars(s, owned) else 0) + repaired  # [KIN-24]
    if type == VASE:
        return vase_points(owned) + repaired * (2 if s.edition == FR else 1)  # [KIN-25, KIN-40]
    return 0


@kernel
def cup_points(s: State, seat: int, repaired: int, owned: int) -> int:
    """Cups and their saucers, highest paired with highest [KIN-20, KIN-21]."""
    fine_saucers = repaired_of(s, seat, SAUCER)
    saucers = fine_saucers + unbroken_of(s, seat, SAUCER)
    points = 0
    for i in range(owned):
        cup = 3 if i < repaired else 1
        saucer = 3 if i < fine_saucers else 2 if i < saucers else 1
        points += cup * saucer
    return points


@kernel
def most_tea_jars(s: State, owned: int) -> bool:
    """Whether nobody has more tea jars than this, at least one [KIN-24]."""
    for other in range(s.players):
        if unbroken_of(s, other, TEA_JAR) + repaired_of(s, other, TEA_JAR) > owned:
            return False
    return owned > 0


@kernel
def vase_points(vases: int) -> int:
    """1, 5, 15; sets of three where a deck has more [KIN-25]."""
    rest = vases % 3
    return 15 * (vases // 3) + (1 if rest == 1 else 5 if rest == 2 else 0)


@kernel
def teapot_points(s: State, seat: int) -> int:
    """Each teapot scores the whole cards of its pattern, twice when repaired [KIN-26]."""
    p = int(s.patterns)
    points = 0
    for pattern in range(p):
        teapot = TEAPOT * p + pattern
        teapots = int(s.unbroken[seat, teapot]) + 2 * int(s.repaired[seat, teapot])
        if teapots:
            points += teapots * matching(s, seat, pattern)
    return points


@kernel
def matching(s: State, seat: int, pattern: int) -> int:
    """Whole cards of a pattern."""
    p = int(s.patterns)
    found = 0
    for type in range(7):
        found += int(s.unbroken[seat, type * p + pattern]) + int(s.repaired[seat, type * p + pattern])
    return found


@kernel
def wood_points(s: State, seat: int) -> int:
    """Trays and storage boxes [KIN-27]."""
    tray = pottery_kinds(s)
    return 2 * int(s.unbroken[seat, tray]) + int(s.unbroken[seat, tray + 1]) * min(int(s.tokens[seat]), 4)


@kernel
def score(s: State, seat: int) -> int:
    points = teapot_points(s, seat) + wood_points(s, seat)
    for type in range(TEAPOT):
        points += pottery_points(s, seat, type)
    return points


@kernel
def scores(s: State, out: Numbers) -> None:
    for seat in range(s.players):
        out[seat] = score(s, seat)


@kernel
def rank(s: State, seat: int, points: int) -> int:
    """One number that orders the seats: points, then repaired cards, then (EN) all cards [KIN-28, KIN-40]."""
    repaired = int(s.repaired[seat].sum())
    cards = repaired + int(s.unbroken[seat].sum()) + int(s.broken[seat].sum()) if s.edition == EN else 0
    return (points * 100 + repaired) * 100 + cards


@kernel
def winners(s: State, points: Numbers) -> int:
    """Bit mask of the seats that share the win [KIN-28]."""
    best = -1
    found = 0
    for seat in range(s.players):
        here = rank(s, seat, int(points[seat]))
        if here > best:
            best = here
            found = 0
        if here == best:
            found |= 1 << seat
    return found


@kernel
def returns(s: State, out: Numbers) -> None:
    scores(s, out)
    if wants_margin(s):
        pay_margin(s, MARGIN_SCALE, out)
    else:
        share_win(s, winners(s, out), out)
