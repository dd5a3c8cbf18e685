"""What a user of the package meets when an input is wrong, or looks it."""


class InputWarning(UserWarning):
    """An input that is legal but looks like a mistake: the message says which, and what would be right."""


class InputError(ValueError):
    """A wrong input: the message names the argument, the place in it, the rule and the offending value."""
