"""A tally: the log ratios of any number of cases in some hundred kilobytes, and the posterior from it.

**The bins.** With a unit u and a number of steps s, a case's j belongs to the bin

    k(j) = floor(s asinh(j / u)),

about u/s wide near 0 and |j|/s wide far from it. The default, u = 1/4 nat and s = 512, makes bins of half a
thousandth of a nat about 0, and of 1/512 of |j| in the tails; j from -10 to 10 needs at most 4,500 of them.

**What a bin keeps:** the number of its cases, the sum of their j, the sum of j^2, the least and the greatest
j. From these the cases of a bin of up to four are known one by one, and so are the extremes, which are alone
in their bins or nearly so. A bin of several cases whose least and greatest agree is one repeated value, an
atom.

**Merging.** A tally of cases A and one of cases B, of the same grid, merge into that of A and B together:
counts, sums and sums of squares add, the least and the greatest are taken. In whatever order and grouping
parts are merged, the counts and the extremes are the same to the bit, and the sums to the rounding of
additions, so the parts may be made anywhere: any engine does it as a group-by.

**What is lost** is where in its bin a case lies. Mean and variance of the j are exact. The posterior takes
four bins together, of width h in all, as two points with the cases' number, mean and variance; three, two
or one bin where fewer than 2,000 hold a case, or where a group would hold more than a fiftieth of the cases,
so that narrow heaps of cases are still seen. For any
function g, such as the log density of j under the model, the average of g over these cases is then known
within

    h^3 / 16 max |g'''|,

the maximum over these bins and the two points: both sides have the same mean and variance, and the third
central moments are at most h^3/4 and h^3/8. Where j spreads evenly over the bins the third moments vanish,
and the error is of the order of h^4. These bins or two points tell nothing of features narrower than about h,
and so the model is given no component narrower than h/2 where it has cases. Groups of up to eight cases are
taken one by one as far as their bins tell.

A value that comes often among others of the same bin is not told from them; it is an atom where its bin holds
nothing else.

**Infinite values.** j = -inf is counted, with the name of the part it came in, and makes J = -inf. Missing
values and j = +inf are errors.

**In `assess`.** Of more than 10,000 cases that are given one by one, `nepers.assess` makes the posterior from
such points too, with atoms told apart beforehand and u in proportion to the scale, and says so. It does not
where one bin holds more than a fiftieth of the cases: the shape of such a heap would be lost. Of a tally that
has one, the answer is less exact; a grid of smaller unit or more steps sees more of it.

The path: `from_arrays`, `from_frame` and `from_files` make a `Tally`; `Tally.merge`, `Tally.update`,
`Tally.save` and `Tally.load` keep it; `Tally.assess` is `nepers.assess` of it. A `Stream` takes batches as
they come, and its `Monitor` says when J has changed.
"""

from nepers.tally.files import from_files
from nepers.tally.frames import from_frame, from_frames
from nepers.tally.grid import Grid
from nepers.tally.monitor import Change, Monitor
from nepers.tally.stream import Stream
from nepers.tally.tally import Tally, from_arrays

__all__ = [
    "Change",
    "Grid",
    "Monitor",
    "Stream",
    "Tally",
    "from_arrays",
    "from_files",
    "from_frame",
    "from_frames",
]
