"""The page of a shipped bot, `CARD.md`, made from the files beside it: what it is, how it was trained, how it fares.

`python -m parlour.training.card` writes the pages of all shipped bots anew.
"""

import json
from pathlib import Path
from typing import Any

from parlour.agents.bot import CARD, WEIGHTS, find, load_bot, shipped
from parlour.envs.core.files import write_whole

PAGE, ARENAS = "CARD.md", "arena*.json"


def page(folder: Path) -> str:
    """What `CARD.md` of a bot's folder must say."""
    bot, told = load_bot(folder), json.loads((folder / CARD).read_text())
    training, parameters = told["training"], sum(value.numel() for value in bot.net.state_dict().values())
    guided = " and what greedy thinks of every action" if bot.sight.guided else ""
    guided += ", once it has played on to the end" if bot.sight.ahead else ""
    rows = {
        "plays": f"{bot.game.title} ({bot.game.id}), {bot.game.players} players",
        "network": f"{bot.spec.kind}, hidden layers {', '.join(map(str, bot.spec.hidden))}; {parameters:,} parameters",
        "file": f"{(folder / WEIGHTS).stat().st_size / 1e6:.2f} MB",
        "reads": f"what `{bot.sight.observation}` shows{guided}; layout {told['layout']}",
        "seed": str(training["seed"]),
    }
    table = [f"| {name} | {value} |" for name, value in rows.items()]
    for run in (*training.get("before", []), training):
        table.append(f"| trained with | `{run['command']}` |")
        table.append(f"| for | {run['seconds'] / 60:.1f} minutes, {run['steps']:,} decisions |")
    lines = [f"# ppo:{folder.name}", "", "| | |", "|---|---|", *table, "", *_results(folder), "## While it learned", ""]
    return "\n".join([*lines, "![win rates against fixed opponents while learning](curve.png)", ""])


def _results(folder: Path) -> list[str]:
    results = [json.loads(file.read_text()) for file in sorted(folder.glob(ARENAS))]
    name = f"ppo:{folder.name}"
    rows = [_row(pair, name) for result in results for pair in result["pairs"] if name in (pair["a"], pair["b"])]
    head = ["## In the arena", "", "| against | games | win rate | 95 % interval |", "|---|---|---|---|"]
    return [*head, *rows, "", *(line for result in results for line in (_command(result), ""))]


def _command(result: dict[str, Any]) -> str:
    agents = " ".join(agent["name"] for agent in result["agents"])
    options = f"--games {result['games']} --seed {result['seed']} --players {result['config']['players']}"
    return f"`parlour arena {result['game']} {agents} {options}`"


def _row(pair: dict[str, Any], name: str) -> str:
    rate, low, high = (pair[f"a_win_rate{end}"] for end in ("", "_low", "_high"))
    if pair["b"] == name:
        rate, low, high = 1 - rate, 1 - high, 1 - low
    other = pair["b"] if pair["a"] == name else pair["a"]
    return f"| `{other}` | {pair['games']:,} | {rate:.3f} | {low:.3f} to {high:.3f} |"


def main() -> None:
    for name in shipped():
        write_whole(find(name) / PAGE, page(find(name)))


if __name__ == "__main__":
    main()
