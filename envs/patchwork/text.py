"""Patchwork in words: names of actions, the state as named values, the table as text."""

from collections.abc import Sequence
from typing import Any

from parlour.envs.core.jit import plain
from parlour.envs.core.record import NOBODY, State
from parlour.envs.patchwork import rules
from parlour.envs.patchwork.components import CELLS, CHOICES, HOME, LEATHER_SPACES, LOW_CELLS, OFFSETS, PATCHES, SIDE

ORDINALS = ("1st", "2nd", "3rd")
TURNS = ("", ", turned 90", ", turned 180", ", turned 270")

can_pay, score = plain(rules.can_pay), plain(rules.score)


def decode(action: int) -> tuple[str, int, int, int]:
    """(verb, choice, orientation, cell) of an action id [PAT-30]; what a verb has not is -1."""
    if action == rules.ADVANCE:
        return "advance", -1, -1, -1
    if action < rules.BUY_FROM:
        return "leather", -1, -1, action - rules.LEATHER_FROM
    choice, placement = divmod(action - rules.BUY_FROM, rules.PER_CHOICE)
    return "buy", choice, *divmod(placement, CELLS)


def cell_name(cell: int) -> str:
    """Column letter and row number: cell 0 is a1, cell 80 is i9."""
    return f"{'abcdefghi'[cell % SIDE]}{cell // SIDE + 1}"


def action_text(action: int) -> str:
    """An action in words; which patch is bought depends on the circle, so it is named by its place."""
    verb, choice, orientation, cell = decode(action)
    if verb == "advance":
        return verb
    if verb == "leather":
        return f"leather at {cell_name(cell)}"
    return f"buy the {ORDINALS[choice]} patch{_way(orientation)}, at {cell_name(cell)}"


def action_text_now(s: State, action: int) -> str:
    """An action in words, with the name of the patch."""
    verb, choice, orientation, cell = decode(action)
    if verb != "buy" or choice >= int(s.patches_left):
        return action_text(action)
    return f"buy {PATCHES[int(s.circle[choice])].name}{_way(orientation)}, at {cell_name(cell)}"


def parts(s: State, action: int) -> tuple[str, ...]:
    """A patch is chosen first, then how it is turned, with its rows drawn, then where its top left corner comes."""
    verb, choice, orientation, cell = decode(action)
    if verb != "buy":
        return (action_text(action),)
    patch = PATCHES[int(s.circle[choice])]
    drawing = "/".join(patch.orientations[orientation])
    return f"buy {patch.name}", f"{_way(orientation)[2:] or 'as drawn'}: {drawing}", f"at {cell_name(cell)}"


def _way(orientation: int) -> str:
    return (", flipped" if orientation >= 4 else "") + TURNS[orientation % 4]


def why_not(s: State, action: int) -> str:
    verb, choice, orientation, _ = decode(action)
    if verb == "leather":
        return "that cell is not free" if s.leather_in_hand else "they have no leather patch"
    if s.leather_in_hand:
        return "they must place the leather patch first"
    if choice >= int(s.patches_left):
        return f"only {int(s.patches_left)} patches are left"
    patch = PATCHES[int(s.circle[choice])]
    if not can_pay(s, choice):
        return f"it costs {patch.cost} buttons and they have {int(s.buttons[int(s.player)])}"
    if orientation >= 4 and not s.mirror:
        return "patches may not be turned over in this game"
    if patch.orientations[orientation] in patch.orientations[:orientation]:
        return "that orientation looks like an earlier one, which is played instead"
    return "it does not fit there"


def quilt(s: State, seat: int) -> list[str]:
    """The quilt as nine rows: "." empty, a patch's letter, "*" leather."""
    marks = ["." if not _filled(s, seat, cell) else "*" for cell in range(CELLS)]
    for i, patch in enumerate(PATCHES):
        if int(s.owner[i]) == seat:
            orientation, corner = divmod(int(s.placement[i]), CELLS)
            for offset in _offsets(i, orientation):
                marks[corner + offset] = patch.name
    return ["".join(marks[row * SIDE : (row + 1) * SIDE]) for row in range(SIDE)]


def preview(s: State, action: int) -> str:
    """The mover's quilt with the new piece as "#"."""
    verb, choice, orientation, cell = decode(action)
    if verb == "advance":
        return ""
    marks = list("".join(quilt(s, int(s.player))))
    for offset in [0] if verb == "leather" else _offsets(int(s.circle[choice]), orientation):
        marks[cell + offset] = "#"
    rows = [f" {row + 1} {' '.join(marks[row * SIDE : (row + 1) * SIDE])}" for row in range(SIDE)]
    return "\n".join([_COLUMNS, *rows])


_COLUMNS = f"   {' '.join('abcdefghi')}"


def _offsets(patch: int, orientation: int) -> list[int]:
    """The cells of a patch, counted from its top left corner."""
    return [int(offset) for offset in OFFSETS[patch, orientation, : PATCHES[patch].cells]]


def _filled(s: State, seat: int, cell: int) -> bool:
    part, bit = (0, cell) if cell < LOW_CELLS else (1, cell - LOW_CELLS)
    return bool(int(s.quilt[seat, part]) >> bit & 1)


def circle(s: State) -> list[str]:
    return [PATCHES[int(i)].name for i in s.circle[: int(s.patches_left)]]


def leather(s: State) -> list[int]:
    """The spaces on which leather patches still lie."""
    spaces = LEATHER_SPACES[int(s.layout)]
    return [int(space) for i, space in enumerate(spaces) if int(s.leather_left) >> i & 1]


def describe(s: State) -> dict[str, Any]:
    over = int(s.player) == NOBODY
    shared = int(s.time[0]) == int(s.time[1])
    return {
        "players": 2,
        "phase": "over" if over else "leather" if s.leather_in_hand else "turn",
        "player": None if over else int(s.player),
        "circle": circle(s),
        "leather": leather(s),
        "bonus": _seat_or_none(s.bonus),
        "top": int(s.last_mover) if shared else None,
        "first_home": _seat_or_none(s.first_home),
        "seats": [_seat(s, seat) for seat in range(2)],
        "scores": [int(score(s, seat)) for seat in range(2)],
    }


def _seat(s: State, seat: int) -> dict[str, Any]:
    return {
        "buttons": int(s.buttons[seat]),
        "income": int(s.income[seat]),
        "time": int(s.time[seat]),
        "quilt": quilt(s, seat),
        "patches": [patch.name for i, patch in enumerate(PATCHES) if int(s.owner[i]) == seat],
    }


def _seat_or_none(value: Any) -> int | None:
    return None if int(value) == NOBODY else int(value)


def board(s: State) -> str:
    """Both quilts side by side, the track in numbers, the next patches drawn."""
    told = describe(s)
    lines = ["   ".join(f"{_headline(told, seat):31}" for seat in range(2)).rstrip(), ""]
    lines.append("   ".join(f"{_COLUMNS:31}" for _ in range(2)).rstrip())
    for row in range(SIDE):
        rows = (" ".join(told["seats"][seat]["quilt"][row]) for seat in range(2))
        lines.append("   ".join(f" {row + 1} {cells:28}" for cells in rows).rstrip())
    lines += ["", f"Leather patches on {', '.join(map(str, told['leather'])) or 'no space'}; the track ends at {HOME}."]
    lines += ["Next patches:", *_drawn([PATCHES[int(i)] for i in s.circle[: min(CHOICES, int(s.patches_left))]])]
    return "\n".join(lines)


def _headline(told: dict[str, Any], seat: int) -> str:
    zone = told["seats"][seat]
    mover = ">" if told["player"] == seat else " "
    tile = ", 7x7" if told["bonus"] == seat else ""
    return f"{mover}player_{seat}: time {zone['time']}, {zone['buttons']} buttons, +{zone['income']}{tile}"


def _drawn(patches: Sequence[Any]) -> list[str]:
    shown = [[f"{p.name}: {p.cost} buttons, time {p.time}, +{p.income}", *p.shape] for p in patches]
    height = max((len(rows) for rows in shown), default=0)
    padded = [[f"{row.replace('.', ' '):30}" for row in rows + [""] * (height - len(rows))] for rows in shown]
    return ["".join(parts).rstrip() for parts in zip(*padded, strict=True)]


def components(s: State) -> dict[str, int]:
    """Every patch, and the leather: on the track, in hand, or under the filled cells that no patch covers."""
    placed = {patch.name: 1 for i, patch in enumerate(PATCHES) if int(s.owner[i]) != NOBODY}
    waiting = dict.fromkeys(circle(s), 1)
    return {name: placed.get(name, 0) + waiting.get(name, 0) for name in (patch.name for patch in PATCHES)}
