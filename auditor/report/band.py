"""The expected range of a quantity in JSON, with two significant digits."""

from auditor.estimate.answer import Band
from auditor.estimate.units import two_digits
from auditor.view.base import ClosedView


class BandView(ClosedView):
    """The expected range of a quantity: low, likely, high."""

    low: float
    likely: float
    high: float


def build_band(band: Band) -> BandView:
    """Return the public view of *band*."""
    return BandView(low=two_digits(band.low), likely=two_digits(band.likely), high=two_digits(band.high))
