"""Two insulins and the scores to align them with: human insulin, mouse insulin 1, BLOSUM62.

The sequences are those of UniProt, P01308 (INS_HUMAN) and P01325 (INS1_MOUSE), as a cell first
makes them: preproinsulin, one letter for each amino acid. The signal peptide shows the way out of
the cell; the C-peptide holds the B and the A chain in place while they join, and both are cut off.
What stays, the two chains, is the hormone, and has changed little since human and mouse parted.
"""

from typing import NamedTuple


class Protein(NamedTuple):
    """A protein: its name, its accession in UniProt, its amino acids, and where its parts lie.

    ``parts`` maps the name of a part to ``(start, stop)``, counted from 0, ``stop`` not included.
    """

    name: str
    accession: str
    sequence: str
    parts: dict[str, tuple[int, int]]

    def part(self, name: str) -> str:
        """Amino acids of one part.

        Raises:
            ValueError: the protein has no such part.
        """
        if name not in self.parts:
            raise ValueError(f"{self.name} has the parts {', '.join(self.parts)}, got {name!r}")
        start, stop = self.parts[name]
        return self.sequence[start:stop]


HUMAN_INSULIN = Protein(
    name="human insulin",
    accession="P01308",
    sequence=(
        "MALWMRLLPLLALLALWGPDPAAA"
        "FVNQHLCGSHLVEALYLVCGERGFFYTPKT"
        "RREAEDLQVGQVELGGGPGAGSLQPLALEGSLQKR"
        "GIVEQCCTSICSLYQLENYCN"
    ),
    parts={
        "signal peptide": (0, 24),
        "B chain": (24, 54),
        "C-peptide": (56, 87),
        "A chain": (89, 110),
    },
)

MOUSE_INSULIN_1 = Protein(
    name="mouse insulin 1",
    accession="P01325",
    sequence=(
        "MALLVHFLPLLALLALWEPKPTQA"
        "FVKQHLCGPHLVEALYLVCGERGFFYTPKS"
        "RREVEDPQVEQLELGGSPGDLQTLALEVARQKR"
        "GIVDQCCTSICSLYQLENYCN"
    ),
    parts={
        "signal peptide": (0, 24),
        "B chain": (24, 54),
        "C-peptide": (56, 85),
        "A chain": (87, 108),
    },
)

# lower half of a symmetric table: a row's letter, then its score with each letter so far
_BLOSUM62 = """
A  4
R -1  5
N -2  0  6
D -2 -2  1  6
C  0 -3 -3 -3  9
Q -1  1  0  0 -3  5
E -1  0  0  2 -4  2  5
G  0 -2  0 -1 -3 -2 -2  6
H -2  0  1 -1 -3  0  0 -2  8
I -1 -3 -3 -3 -1 -3 -3 -4 -3  4
L -1 -2 -3 -4 -1 -2 -3 -4 -3  2  4
K -1  2  0 -1 -3  1  1 -2 -1 -3 -2  5
M -1 -1 -2 -3 -1  0 -2 -3 -2  1  2 -1  5
F -2 -3 -3 -3 -2 -3 -3 -3 -1  0  0 -3  0  6
P -1 -2 -2 -1 -3 -1 -1 -2 -2 -3 -3 -1 -2 -4  7
S  1 -1  1  0 -1  0  0  0 -1 -2 -2  0 -1 -2 -1  4
T  0 -1  0 -1 -1 -1 -1 -2 -2 -1 -1 -1 -1 -2 -1  1  5
W -3 -3 -4 -4 -2 -2 -3 -2 -2 -3 -2 -3 -1  1 -4 -3 -2 11
Y -2 -2 -2 -3 -2 -1 -2 -3  2 -1 -1 -2 -1  3 -3 -2 -2  2  7
V  0 -3 -3 -3 -1 -2 -2 -3 -3  3  1 -2  1 -1 -2 -2  0 -3 -1  4
"""


def blosum62() -> dict[tuple[str, str], float]:
    """Read BLOSUM62: how often amino acids are partners, compared with chance.

    Henikoff & Henikoff, *Amino acid substitution matrices from protein blocks* (1992), for the 20
    amino acids. Scores are in half-bits, rounded: two partners of score s were seen about 2^(s/2)
    times as often as chance would have them. So exp(s / T) is that ratio at T = 2 / ln 2, near 2.9.

    Returns:
        The score of each two letters, in both orders, as
        :func:`contextbook.sequence_alignment.substitution_scores` takes it.
    """
    rows = [row.split() for row in _BLOSUM62.strip().splitlines()]
    letters = [row[0] for row in rows]
    half = {
        (row[0], letter): float(score)
        for row in rows
        # not strict: a row ends at the diagonal
        for letter, score in zip(letters, row[1:], strict=False)
    }
    return half | {(second, first): score for (first, second), score in half.items()}
