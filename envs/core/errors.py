"""What Parlour raises. All are `ParlourError`; those about an argument are `ValueError` too."""


class ParlourError(Exception):
    """Anything Parlour refuses to do."""


class ConfigError(ParlourError, ValueError):
    """A game, option or value that does not exist or does not fit."""


class IllegalAction(ParlourError, ValueError):
    """An action that the rules do not allow now. The state is untouched."""


class SnapshotError(ParlourError, ValueError):
    """Bytes that are not a snapshot of this game."""


class ReplayError(ParlourError, ValueError):
    """A file that is not a replay of this game."""


class MissingExtra(ParlourError, ImportError):
    """An optional package is not installed; the message names the command that installs it."""


class CheckFailed(ParlourError, AssertionError):
    """A game does not keep a promise that `check_game` tests."""
