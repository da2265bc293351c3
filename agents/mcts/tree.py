"""The tree of a search: what was tried after which actions, by whom and seeing what, kept in one array of nodes."""

import math

import numpy as np

from parlour.envs.core.jit import entry, kernel
from parlour.envs.core.record import Numbers, State

ROOT = 0
NONE = -1
"""No such node, and no such action."""

NODE = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("total", "f8"),  # the values of all visits, as the seat that chose the action sees them
                ("squares", "f8"),  # their squares, at the root
                ("sight", "u8"),  # a hash of what that seat saw when it chose
                ("visits", "i4"),
                ("available", "i4"),  # how often the action was legal when one was chosen here
                ("parent", "i4"),
                ("first_child", "i4"),
                ("next_sibling", "i4"),
                ("action", "i4"),  # what leads here from the parent; at the root the number of nodes
                ("seat", "i4"),  # who chose it; at the root who is to move
            ],
            align=True,
        ),
    )
)


@kernel
def plant(nodes: Numbers, seat: int) -> None:
    """Begin a tree with nothing but its root."""
    settle(nodes[ROOT], NONE, 1, seat, 0)


@kernel
def settle(node: State, parent: int, action: int, seat: int, sight: int) -> None:
    """Write a new node."""
    node.total = 0.0
    node.squares = 0.0
    node.visits = 0
    node.available = 1
    node.parent = parent
    node.first_child = NONE
    node.next_sibling = NONE
    node.action = action
    node.seat = seat
    node.sight = sight


@kernel
def adopt(nodes: Numbers, parent: int, action: int, seat: int, sight: int) -> int:
    """Give a node another child; returns the child, or in a full tree the node itself."""
    if is_full(nodes):
        return parent
    child = int(nodes[ROOT].action)
    nodes[ROOT].action += 1
    settle(nodes[child], parent, action, seat, sight)
    nodes[child].next_sibling = nodes[parent].first_child
    nodes[parent].first_child = child
    return child


@kernel
def is_full(nodes: Numbers) -> bool:
    return bool(nodes[ROOT].action == nodes.size)


@kernel
def spread(nodes: Numbers) -> float:
    """The standard deviation of the values so far; 1 while they are all alike."""
    root = nodes[ROOT]
    if root.visits == 0:
        return 1.0
    mean = root.total / root.visits
    variance = root.squares / root.visits - mean * mean
    return math.sqrt(variance) if variance > 1e-6 else 1.0


@kernel
def best_child(
    nodes: Numbers, parent: int, seat: int, sight: int, explore: float, mask: Numbers, kinds: Numbers, visited: Numbers
) -> tuple[int, int, int]:
    """The child to visit next among those that are legal for a seat that sees this; their number and their visits.

    Takes the actions of all these children out of the mask, so that what is left of it has not been tried, and writes
    how often each kind of action was.
    """
    visited[:] = 0
    best, highest, many, visits = NONE, -math.inf, 0, 0
    child = int(nodes[parent].first_child)
    while child != NONE:
        node = nodes[child]
        if node.sight == sight and node.seat == seat and mask[node.action]:
            mask[node.action] = False
            many += 1
            visits += node.visits
            visited[kinds[node.action]] += node.visits
            node.available += 1
            hope = node.total / node.visits + explore * math.sqrt(math.log(node.available) / node.visits)
            if hope > highest:
                best, highest = child, hope
        child = int(node.next_sibling)
    return best, many, visits


@kernel
def keep_one_kind(mask: Numbers, kinds: Numbers, visited: Numbers) -> None:
    """Leave in the mask only kinds not visited yet; where there are none, only the kind that was visited most."""
    most = -1
    for action in range(kinds.size):
        if mask[action]:
            visits = visited[kinds[action]]
            if visits == 0:
                most = 0
                break
            most = max(most, visits)
    for action in range(kinds.size):
        if mask[action] and visited[kinds[action]] != most:
            mask[action] = False


@kernel
def back_up(nodes: Numbers, leaf: int, values: Numbers) -> None:
    """Credit every action on the way to a leaf with what it was worth to the seat that chose it."""
    at = leaf
    while at != NONE:
        node = nodes[at]
        node.visits += 1
        node.total += values[node.seat]
        at = int(node.parent)
    root = nodes[ROOT]
    root.squares += values[root.seat] ** 2


@entry
def choose(forest: Numbers, actions: int, chosen: Numbers) -> None:
    """The action of each row that was visited most over its trees; of equals the one that did better."""
    visits = np.empty(actions, np.int64)
    totals = np.empty(actions, np.float64)
    for row in range(forest.shape[0]):
        visits[:] = 0
        totals[:] = 0.0
        for tree in range(forest.shape[1]):
            count_visits(forest[row, tree], visits, totals)
        chosen[row] = most_visited(visits, totals)


@kernel
def count_visits(nodes: Numbers, visits: Numbers, totals: Numbers) -> None:
    """Add up the visits and values of the root's actions, by action."""
    child = int(nodes[ROOT].first_child)
    while child != NONE:
        node = nodes[child]
        visits[node.action] += node.visits
        totals[node.action] += node.total
        child = int(node.next_sibling)


@kernel
def most_visited(visits: Numbers, totals: Numbers) -> int:
    best = 0
    for action in range(visits.size):
        more = visits[action] - visits[best]
        if more > 0 or (more == 0 and totals[action] > totals[best]):
            best = action
    return best
