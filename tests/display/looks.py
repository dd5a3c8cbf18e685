"""What can be said of a picture without looking at it: its texts, and whether all of them are on the page."""

from matplotlib.text import Text


def texts(ax):
    """Every text that is shown, those of the ticks and the key included."""
    return [one.get_text() for one in _shown(ax)]


def off_the_page(ax):
    """The texts that the edge of the figure cuts, by more than a dot."""
    page = ax.figure.bbox.padded(1.0)
    return [one.get_text() for one in _shown(ax) if not _within(one.get_window_extent(), page)]


def _shown(ax):
    ax.figure.draw_without_rendering()
    # labels of ticks beyond the view are made but not drawn
    beyond = set()
    for axis, (one_end, other_end) in ((ax.xaxis, ax.get_xlim()), (ax.yaxis, ax.get_ylim())):
        low, high = sorted((one_end, other_end))
        beyond |= {id(tick.label1) for tick in axis.get_major_ticks() if not low <= tick.get_loc() <= high}
    found = ax.findobj(lambda one: isinstance(one, Text) and one.get_visible() and one.get_text().strip())
    return [one for one in found if id(one) not in beyond]


def _within(box, page):
    return page.x0 <= box.x0 and box.x1 <= page.x1 and page.y0 <= box.y0 and box.y1 <= page.y1
