"""The one error a user of the package meets."""


class InputError(ValueError):
    """A wrong input: the message names the argument, the place in it, the rule and the offending value."""
