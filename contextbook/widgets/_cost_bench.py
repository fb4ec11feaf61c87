"""A bench for costs: what RNN, LSTM, convolution and attention take as a sequence gets longer."""

from __future__ import annotations

from typing import Any

import traitlets

from contextbook.widgets._base import Bench, FigureDataError, check_number

RANGES = {"length": (4, 16384), "width": (16, 12288), "heads": (1, 96), "layers": (1, 96)}
MEASURES = ("operations", "steps", "path", "memory")
_CHOICES = ("projections", "fused", "dilated")


class CostBench(Bench):
    """What layers of four kinds cost over the length, with sizes in the reader's hand.

    The counts are those of :func:`contextbook.costs.costs`, for one sequence. With a kernel both
    sides stay in step: set ``figure.width``, observe ``figure.costs``.

    Args:
        length: tokens, 4 to 16,384; where the curves are read off.
        width: numbers in each vector, 16 to 12,288.
        heads: of attention, 1 to 96; they share the width evenly.
        layers: on top of each other, 1 to 96.
        measure: which curves are seen first: ``"operations"``, ``"steps"``, ``"path"`` or
            ``"memory"``.
        projections: whether attention's products with W^Q, W^K, W^V and W^O are counted.
        fused: whether attention keeps no weights for the pass back.
        dilated: whether each layer of convolution mixes tokens twice as far apart as the one below.

    Raises:
        ValueError: a setting is out of range, or the heads cannot share the width.

    Attributes:
        costs: by ``"rnn"``, ``"lstm"``, ``"convolution"`` and ``"attention"`` what each measure
            says at this length; memory in numbers.
    """

    _name = "cost-bench"
    _settings = (*RANGES, "measure", *_CHOICES)

    length = traitlets.Int(128).tag(sync=True)
    width = traitlets.Int(128).tag(sync=True)
    heads = traitlets.Int(4).tag(sync=True)
    layers = traitlets.Int(1).tag(sync=True)
    measure = traitlets.Unicode("operations").tag(sync=True)
    projections = traitlets.Bool(True).tag(sync=True)
    fused = traitlets.Bool(False).tag(sync=True)
    dilated = traitlets.Bool(False).tag(sync=True)

    costs: traitlets.Dict[str, dict[str, int]] = traitlets.Dict(read_only=True)

    def __init__(
        self,
        length: int = 128,
        width: int = 128,
        heads: int = 4,
        layers: int = 1,
        *,
        measure: str = "operations",
        projections: bool = True,
        fused: bool = False,
        dilated: bool = False,
    ) -> None:
        super().__init__(
            length=length,
            width=width,
            heads=heads,
            layers=layers,
            measure=measure,
            projections=projections,
            fused=fused,
            dilated=dilated,
        )
        self._count()

    # measured in the page, so that nothing jumps when the figure appears
    @traitlets.default("height")
    def _height(self) -> int:
        return 887

    @traitlets.default("height_narrow")
    def _height_narrow(self) -> int:
        return 1428

    def _summary(self) -> str:
        return f"length {self.length}, width {self.width}, heads {self.heads}, layers {self.layers}"

    @traitlets.validate(*RANGES, "measure")
    def _check(self, proposal: Any) -> Any:
        """Refuse what does not fit; traitlets then keeps the old traits."""
        name, value = proposal["trait"].name, proposal["value"]
        if name == "measure":
            if value not in MEASURES:
                raise FigureDataError(
                    f"measure must be one of {', '.join(MEASURES)}, got {value!r}"
                )
            return value
        check_number(name, value, *RANGES[name])
        sizes = {"width": self.width, "heads": self.heads} | {name: value}
        if sizes["width"] % sizes["heads"]:
            raise FigureDataError(
                f"{sizes['heads']} heads cannot share a width of {sizes['width']} evenly: choose "
                "heads that divide it, and set both at once by update(width=..., heads=...)"
            )
        return value

    @traitlets.observe(*RANGES, *_CHOICES)
    def _count(self, change: Any = None) -> None:
        from dataclasses import asdict

        from contextbook.costs import costs

        counted = costs(
            self.length,
            self.width,
            self.heads,
            self.layers,
            projections=self.projections,
            fused=self.fused,
            dilated=self.dilated,
        )
        self.set_trait("costs", {kind: asdict(cost) for kind, cost in counted.items()})
