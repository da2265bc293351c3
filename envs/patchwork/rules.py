"""The rules of Patchwork. Clauses in brackets are those of RULES.md."""

from parlour.envs.core.jit import kernel
from parlour.envs.core.record import NOBODY, Field, Numbers, Record, State
from parlour.envs.core.rewards import pay_margin, share_win, wants_margin
from parlour.envs.core.rng import below, shuffle
from parlour.envs.patchwork.components import (
    ALL_HIGH,
    ALL_LOW,
    AREA,
    CELLS,
    CHOICES,
    CORNERS,
    COST,
    FIRST_INCOME,
    HOME,
    INCOME,
    INCOME_STEP,
    LEATHER_SPACES,
    LEATHERS,
    LOW_CELLS,
    NEW,
    OFFSETS,
    ORIENTATIONS,
    PATCHES,
    SIDE,
    SQUARES,
    STARTER,
    TIME,
    TOTAL_INCOME,
    UNMIRRORED,
    WHOLE_ROW,
)

# --- State

MANY = len(PATCHES)
START_BUTTONS = 5
BONUS_POINTS = 7
MOST_BUTTONS = START_BUTTONS + HOME + 9 * TOTAL_INCOME
MARGIN_SCALE = 30.0

RECORD = Record.of(
    Field("quilt", "i8", 0, ALL_LOW, "filled cells of each seat: bits of rows 0-6, bits of rows 7-8", (2, 2)),
    Field("buttons", "i2", 0, MOST_BUTTONS, "buttons of each seat", (2,)),
    Field("placement", "i2", 0, ORIENTATIONS * CELLS - 1, "orientation * 81 + cell of each patch sewn on", (MANY,)),
    Field("owner", "i1", NOBODY, 1, "on whose quilt each patch is, -1: in the circle", (MANY,)),
    Field("circle", "i1", 0, MANY - 1, "patches clockwise from the neutral pawn", (MANY,)),
    Field("patches_left", "i1", 0, MANY, "patches in the circle"),
    Field("time", "i1", 0, HOME, "space of each time token", (2,)),
    Field("income", "i1", 0, TOTAL_INCOME, "buttons printed on each quilt", (2,)),
    Field("empty", "i1", 0, CELLS, "empty cells of each quilt", (2,)),
    Field("last_mover", "i1", 0, 1, "whose token moved last, so lies on top on a shared space"),
    Field("leather_left", "i1", 0, 2**LEATHERS - 1, "bit mask of the leather patches on the track"),
    Field("leather_in_hand", "i1", 0, 1, "whether the player to move has a leather patch to place"),
    Field("bonus", "i1", NOBODY, 1, "who has the 7x7 tile"),
    Field("first_home", "i1", NOBODY, 1, "who reached space 53 first"),
    Field("layout", "i1", 0, 1, "which leather layout is played", fixed=True),
    Field("mirror", "i1", 0, 1, "whether patches may be turned over", fixed=True),
    Field("opener", "i1", NOBODY, 1, "who begins, -1: drawn", fixed=True),
)


# --- Actions [PAT-30]

ADVANCE = 0
LEATHER_FROM = 1
BUY_FROM = LEATHER_FROM + CELLS
PER_CHOICE = ORIENTATIONS * CELLS
NUM_ACTIONS = BUY_FROM + CHOICES * PER_CHOICE


# --- Setup


@kernel
def setup(s: State) -> None:
    """Lay the patches in a circle, the starter last; draw who begins [PAT-2, PAT-3, PAT-4]."""
    for i in range(MANY):
        s.circle[i] = i
        s.owner[i] = NOBODY
    s.circle[STARTER] = MANY - 1
    s.circle[MANY - 1] = STARTER
    shuffle(s, s.circle, 0, MANY - 1)
    s.patches_left = MANY
    for seat in range(2):
        s.buttons[seat] = START_BUTTONS
        s.empty[seat] = CELLS
    s.leather_left = 2**LEATHERS - 1
    s.bonus = NOBODY
    s.first_home = NOBODY
    s.player = below(s, 2) if s.opener == NOBODY else s.opener
    s.last_mover = s.player


# --- Legal actions


@kernel
def legal(s: State, mask: Numbers) -> None:
    mask[:] = False
    if s.leather_in_hand:
        write_board(free_low(s), free_high(s), LEATHER_FROM, mask)
    else:
        mask[ADVANCE] = True
        for choice in range(CHOICES):
            if can_pay(s, choice):
                legal_placements(s, choice, mask)


@kernel
def legal_placements(s: State, choice: int, mask: Numbers) -> None:
    """Where one of the next patches can be sewn on [PAT-12]."""
    patch = int(s.circle[choice])
    free = free_low(s), free_high(s)
    for orientation in range(ORIENTATIONS if s.mirror else UNMIRRORED):
        if NEW[patch, orientation]:
            low, high = fitting_corners(free[0], free[1], patch, orientation)
            write_board(low, high, BUY_FROM + choice * PER_CHOICE + orientation * CELLS, mask)


@kernel
def can_pay(s: State, choice: int) -> bool:
    return bool(choice < s.patches_left and COST[s.circle[choice]] <= s.buttons[s.player])


@kernel
def free_low(s: State) -> int:
    """The empty cells of the mover's rows 0 to 6."""
    return ALL_LOW ^ int(s.quilt[s.player, 0])


@kernel
def free_high(s: State) -> int:
    """The empty cells of the mover's rows 7 and 8."""
    return ALL_HIGH ^ int(s.quilt[s.player, 1])


@kernel
def fitting_corners(free_low: int, free_high: int, patch: int, orientation: int) -> tuple[int, int]:
    """The cells on which the corner of a patch can lie: those from which every cell of it finds a free one."""
    low = int(CORNERS[patch, orientation, 0])
    high = int(CORNERS[patch, orientation, 1])
    for i in range(AREA[patch]):
        shift = int(OFFSETS[patch, orientation, i])
        low &= (free_low >> shift) | ((free_high << (LOW_CELLS - shift)) & ALL_LOW)
        high &= free_high >> shift
    return low, high


@kernel
def write_board(low: int, high: int, start: int, mask: Numbers) -> None:
    """Write the 81 bits of a board into a mask that is all False, passing over rows without any."""
    write_rows(low, start, mask)
    write_rows(high, start + LOW_CELLS, mask)


@kernel
def write_rows(bits: int, start: int, mask: Numbers) -> None:
    while bits:
        if bits & WHOLE_ROW:
            write_row(bits & WHOLE_ROW, mask[start : start + SIDE])
        bits >>= SIDE
        start += SIDE


@kernel
def write_row(bits: int, cells: Numbers) -> None:
    for column in range(SIDE):
        cells[column] = (bits >> column) & 1


# --- Step


@kernel
def apply(s: State, action: int) -> None:
    seat = int(s.player)
    if action == ADVANCE:
        advance(s, seat)
    elif action < BUY_FROM:
        s.leather_in_hand = 0
        sew(s, seat, action - LEATHER_FROM)
        claim_bonus(s, seat)
    else:
        buy(s, seat, action - BUY_FROM)
    s.player = next_player(s)


@kernel
def advance(s: State, seat: int) -> None:
    """Move just past the other token, a button per space really moved [PAT-11]."""
    before = int(s.time[seat])
    move(s, seat, int(s.time[1 - seat]) + 1 - before)
    s.buttons[seat] += int(s.time[seat]) - before


@kernel
def buy(s: State, seat: int, code: int) -> None:
    """Pay for a patch, sew it on, spend its time [PAT-12]. Its own income counts at once [PAT-13]."""
    choice, placement = code // PER_CHOICE, code % PER_CHOICE
    orientation, corner = placement // CELLS, placement % CELLS
    patch = int(s.circle[choice])
    take_from_circle(s, choice)
    s.owner[patch] = seat
    s.placement[patch] = placement
    s.buttons[seat] -= COST[patch]
    s.income[seat] += INCOME[patch]
    for i in range(AREA[patch]):
        sew(s, seat, corner + OFFSETS[patch, orientation, i])
    claim_bonus(s, seat)
    move(s, seat, TIME[patch])


@kernel
def take_from_circle(s: State, choice: int) -> None:
    """The pawn moves to the place of the patch taken: what lay before it now comes last."""
    first = int(s.circle[0])
    second = int(s.circle[1])
    left = int(s.patches_left) - 1
    for i in range(left - choice):
        s.circle[i] = s.circle[i + choice + 1]
    if choice > 0:
        s.circle[left - choice] = first
    if choice > 1:
        s.circle[left - 1] = second
    s.patches_left = left


@kernel
def sew(s: State, seat: int, cell: int) -> None:
    if cell < LOW_CELLS:
        s.quilt[seat, 0] |= 1 << cell
    else:
        s.quilt[seat, 1] |= 1 << (cell - LOW_CELLS)
    s.empty[seat] -= 1


@kernel
def claim_bonus(s: State, seat: int) -> None:
    """The first to fill a 7x7 square gets the tile [PAT-15]."""
    if s.bonus != NOBODY or s.empty[seat] > CELLS - 49:
        return
    for i in range(len(SQUARES)):
        low, high = SQUARES[i, 0], SQUARES[i, 1]
        if (s.quilt[seat, 0] & low) == low and (s.quilt[seat, 1] & high) == high:
            s.bonus = seat
            return


@kernel
def move(s: State, seat: int, spaces: int) -> None:
    """Move a time token, at most to the last space, and collect what it crosses [PAT-13, PAT-14]."""
    before = int(s.time[seat])
    after = min(before + int(spaces), HOME)
    s.time[seat] = after
    s.last_mover = seat
    s.buttons[seat] += int(s.income[seat]) * (incomes_up_to(after) - incomes_up_to(before))
    if after == HOME and s.first_home == NOBODY:
        s.first_home = seat
    take_leather(s, seat, before, after)


@kernel
def incomes_up_to(space: int) -> int:
    """How many income spaces lie at or before a space [PAT-2]."""
    return (space - FIRST_INCOME + INCOME_STEP) // INCOME_STEP


@kernel
def take_leather(s: State, seat: int, before: int, after: int) -> None:
    """Take a leather patch that was reached; on a full quilt it is lost [PAT-14]."""
    for i in range(LEATHERS):
        reached = before < LEATHER_SPACES[s.layout, i] <= after
        if reached and (int(s.leather_left) >> i) & 1:
            s.leather_left &= ~(1 << i)
            s.leather_in_hand = s.empty[seat] > 0


@kernel
def next_player(s: State) -> int:
    """Whoever is further back; on a shared space the token on top [PAT-10]. Nobody when both are home [PAT-16]."""
    if s.leather_in_hand:
        return int(s.player)
    if s.time[0] == HOME and s.time[1] == HOME:
        return NOBODY
    if s.time[0] == s.time[1]:
        return int(s.last_mover)
    return 0 if s.time[0] < s.time[1] else 1


# --- Scoring


@kernel
def score(s: State, seat: int) -> int:
    """[PAT-20]"""
    return int(s.buttons[seat]) + (BONUS_POINTS if s.bonus == seat else 0) - 2 * int(s.empty[seat])


@kernel
def scores(s: State, out: Numbers) -> None:
    for seat in range(2):
        out[seat] = score(s, seat)


@kernel
def winner(s: State) -> int:
    """The higher score; on a tie whoever reached the last space first [PAT-21]."""
    lead = score(s, 0) - score(s, 1)
    if lead == 0:
        return int(s.first_home)
    return 0 if lead > 0 else 1


@kernel
def returns(s: State, out: Numbers) -> None:
    if wants_margin(s):
        scores(s, out)
        pay_margin(s, MARGIN_SCALE, out)
    else:
        share_win(s, 1 << winner(s), out)
