"""Typical wrong answers to chapter 1's exercises, by the kind of hint that each must get."""


def bytes_by(returned: str) -> str:
    return f"def byte_count(text):\n    return {returned}\n"


def share(returned: str) -> str:
    return f"def unknown_share(tokens, known):\n    return {returned}\n"


PAIRS = """
def pair_counts(words):
    counts = {}
    for ids, count in words:
        for pair in zip(ids, ids[1:]):
            counts[pair] = counts.get(pair, 0) + count
    return counts
"""
MERGE = """
def merge(ids, pair, new_id):
    merged, position = [], 0
    while position < len(ids):
        if tuple(ids[position : position + 2]) == pair:
            merged.append(new_id)
            position += 2
        else:
            merged.append(ids[position])
            position += 1
    return merged
"""
FIRST_ONLY = """
def merge(ids, pair, new_id):
    for i in range(len(ids) - 1):
        if (ids[i], ids[i + 1]) == pair:
            return ids[:i] + [new_id] + ids[i + 2:]
    return ids
"""
FROM_THE_RIGHT = """
def merge(ids, pair, new_id):
    merged, position = [], len(ids)
    while position > 0:
        if position > 1 and (ids[position - 2], ids[position - 1]) == pair:
            merged.insert(0, new_id)
            position -= 2
        else:
            merged.insert(0, ids[position - 1])
            position -= 1
    return merged
"""
LEFT_STAYS = """
def merge(ids, pair, new_id):
    merged = list(ids)
    for i in range(len(ids) - 1):
        if (ids[i], ids[i + 1]) == pair:
            merged[i] = new_id
    return merged
"""
MERGE_IN_PLACE = """
def merge(ids, pair, new_id):
    position = 0
    while position + 1 < len(ids):
        if (ids[position], ids[position + 1]) == pair:
            ids[position : position + 2] = [new_id]
        position += 1
    return ids
"""
CUT = """
def cut_by_merges(ids, merges):
    for rank, pair in enumerate(merges):
        merged = []
        for number in ids:
            if merged and merged[-1] == pair[0] and number == pair[1]:
                merged[-1] = 256 + rank
            else:
                merged.append(number)
        ids = merged
    return list(ids)
"""
COUNTED_HERE = """
def cut_by_merges(ids, merges):
    while True:
        pairs = [pair for pair in zip(ids, ids[1:]) if pair in merges]
        if not pairs:
            return list(ids)
        best = min(pairs, key=lambda pair: (-pairs.count(pair), merges.index(pair)))
        new_id, merged = 256 + merges.index(best), []
        for number in ids:
            if merged and (merged[-1], number) == best:
                merged[-1] = new_id
            else:
                merged.append(number)
        ids = merged
"""
CUT_IN_PLACE = """
def cut_by_merges(ids, merges):
    for rank, pair in enumerate(merges):
        position = 0
        while position + 1 < len(ids):
            if (ids[position], ids[position + 1]) == pair:
                ids[position : position + 2] = [256 + rank]
            position += 1
    return ids
"""
LEFT_FIRST = """
def cut_by_merges(ids, merges):
    ids, position = list(ids), 0
    while position + 1 < len(ids):
        pair = (ids[position], ids[position + 1])
        if pair in merges:
            ids[position : position + 2] = [256 + merges.index(pair)]
            position = 0
        else:
            position += 1
    return ids
"""

WRONG = {
    "byte_count": [
        ("characters", bytes_by("len(text)")),
        (
            "three_at_most",
            bytes_by("sum(1 + (ord(c) >= 0x80) + (ord(c) >= 0x800) for c in text)"),
        ),
        (
            "bounds",
            bytes_by(
                "sum(1 + (ord(c) > 0x80) + (ord(c) > 0x800) + (ord(c) > 0x10000) for c in text)"
            ),
        ),
        ("utf16", bytes_by("len(text.encode('utf-16-le'))")),
        ("ascii_or_three", bytes_by("sum(1 if ord(c) < 0x80 else 3 for c in text)")),
        ("not_a_number", bytes_by("text.encode()")),
        ("different", bytes_by("2 * len(text)")),
    ],
    "unknown_share": [
        ("known_share", share("sum(t in known for t in tokens) / len(tokens)")),
        ("not_divided", share("sum(t not in known for t in tokens)")),
        ("percent", share("100 * sum(t not in known for t in tokens) / max(len(tokens), 1)")),
        ("mutated", share("known.clear() or 1.0")),
        ("different_words", share("len(set(tokens) - known) / len(set(tokens))")),
        ("different_unknown", share("len(set(tokens) - known) / len(tokens)")),
        ("divided_by_vocabulary", share("sum(t not in known for t in tokens) / len(known)")),
        ("raised", share("sum(t not in known for t in tokens) / len(tokens)")),
        ("returned_nothing", share("print(tokens)")),
    ],
    "pair_counts": [
        ("counted_once", PAIRS.replace("+ count", "+ 1")),
        (
            "across_words",
            "from collections import Counter\nfrom itertools import pairwise\n"
            "def pair_counts(words):\n"
            "    return Counter(pairwise([number for ids, _ in words for number in ids]))\n",
        ),
        ("not_overlapping", PAIRS.replace("zip(ids, ids[1:])", "zip(ids[::2], ids[1::2])")),
        (
            "unordered",
            PAIRS.replace(
                "            counts", "            pair = tuple(sorted(pair))\n            counts"
            ),
        ),
        ("once_a_word", PAIRS.replace("zip(ids, ids[1:])", "set(zip(ids, ids[1:]))")),
        ("overwritten", PAIRS.replace("counts.get(pair, 0) + count", "count")),
        ("mutated", PAIRS.replace("    counts = {}", "    counts = {}; words.sort()")),
        ("not_a_dictionary", PAIRS.replace("return counts", "return list(counts)")),
        ("other_count", PAIRS.replace("+ count", "+ count + 1")),
    ],
    "merge": [
        ("first_only", FIRST_ONLY),
        ("from_the_right", FROM_THE_RIGHT),
        ("left_stays", LEFT_STAYS),
        ("nothing", "def merge(ids, pair, new_id):\n    return list(ids)\n"),
        ("not_a_list", MERGE.replace("return merged", "return str(merged)")),
        ("other_ids", MERGE.replace("append(new_id)", "append(pair)")),
        ("mutated", MERGE_IN_PLACE),
    ],
    "cut_by_merges": [
        ("left_first", LEFT_FIRST),
        ("counted_here", COUNTED_HERE),
        ("last_first", CUT.replace("enumerate(merges)", "list(enumerate(merges))[::-1]")),
        ("first_merge_only", CUT.replace("enumerate(merges)", "enumerate(merges[:1])")),
        ("ids_too_low", CUT.replace("256 + rank", "255 + rank")),
        ("ids_too_high", CUT.replace("256 + rank", "257 + rank")),
        ("always_256", CUT.replace("256 + rank", "256")),
        ("mutated", CUT_IN_PLACE),
        ("nothing", "def cut_by_merges(ids, merges):\n    return list(ids)\n"),
        ("not_a_list", CUT.replace("return list(ids)", "return len(ids)")),
        ("other_ids", CUT.replace("256 + rank", "300 + rank")),
    ],
}
