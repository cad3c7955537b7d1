"""Exact BM25 over postings, block of sentences by block: the compiled part of `assay.evidence.exact`.

Every contribution is rounded to a multiple of 2**-36, so that a sum of them is exact in float64 (up to 2**17)
and doesn't depend on the order of its terms, the block, the batch, or the thread: equal bags of terms tie.

Blocks are the outer loop, questions the inner one: a block's contributions are worked out once a batch and
then read from cache by every question. Skipping follows MaxScore (Turtle and Flood 1995, "Query evaluation:
strategies and optimizations") with a bound for each term in each block (Ding and Suel 2011, "Faster top-k
document retrieval using block-max indexes"); a bound here is never below the true score, so nothing is lost.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from assay.evidence.blocks import Block, Entries, Postings, Terms, ends_in_block, fill_block, find
from assay.evidence.compiled import compiled, inlined
from assay.evidence.heaps import Best, Floats, Ints, bar, keep, sort, unite

SLACK = 0.2
"""Where stem and choice must both be met, the share of the lowest score still wanted that stem terms may
bring while they are only looked up: more means fewer postings read, more look-ups. No result changes."""


class Asked(NamedTuple):
    """The queries. A *question* is a run of them with the same first group: queries[q]..queries[q + 1].

    `stems`: each question's entries, frequent terms first; `entries`: each query's others, rare terms first.
    `needed`: how many groups beside the stem must be met; 0: any term of any group will do.
    `required`: each query's terms that only must be met, in groups numbered from 0 to `required_groups` - 1.
    """

    stems: Entries
    entries: Entries
    queries: Ints
    needed: npt.NDArray[np.int32]
    required: Entries
    required_groups: npt.NDArray[np.int32]


class Work(NamedTuple):
    """Scratch of one thread: a block's `sums` and which were touched; sums noted to be put back.

    `met`: how many of a query's required groups each place meets, in order up to the first it doesn't.
    """

    sums: Floats
    touched: npt.NDArray[np.uint16]
    noted_places: npt.NDArray[np.uint16]
    noted_sums: Floats
    open: npt.NDArray[np.bool_]
    met: npt.NDArray[np.int32]


@inlined
def _most(block: Block, entries: Entries, low: int, high: int) -> float:
    """The highest that the entries low..high-1 can add up to in this block."""
    total = 0.0
    for entry in range(low, high):
        total += entries.times[entry] * block.most[entries.slots[entry]]
    return total


@inlined
def _finish(
    block: Block, entries: Entries, low: int, high: int, place: int, score: float, slack: float, floor: float
) -> float:
    """`score` plus the parts of the entries low..high-1 at `place`; -1 once it can't reach `floor`.

    `slack` bounds what these entries, and any still to come, can add.
    """
    for entry in range(high - 1, low - 1, -1):
        slot = entries.slots[entry]
        if block.most[slot] > 0.0:
            slack -= entries.times[entry] * block.most[slot]
            found = find(block, slot, place)
            if found >= 0:
                score += entries.times[entry] * block.parts[found]
            if score + slack < floor:
                return -1.0
    return score


@inlined
def _holds_any(block: Block, entries: Entries, low: int, high: int, place: int, group: int) -> bool:
    """Whether one of the entries low..high-1 (of this group, unless it is -1) stands at `place`."""
    for entry in range(low, high):
        if (group == -1 or entries.groups[entry] == group) and find(block, entries.slots[entry], place) >= 0:
            return True
    return False


@inlined
def _add_stem(
    block: Block, stems: Entries, low: int, high: int, sums: Floats, touched: npt.NDArray[np.uint16]
) -> int:
    """Add the contributions of the entries low..high-1 to `sums`; returns how many places were touched."""
    places, parts, starts = block.places, block.parts, block.starts
    slots, each = stems.slots, stems.times
    count = 0
    for entry in range(low, high):
        slot, times = slots[entry], each[entry]
        for at in range(starts[slot], starts[slot + 1]):
            place = places[at]
            before = sums[place]
            touched[count] = place
            count += before == 0.0
            sums[place] = before + times * parts[at]
    return count


@inlined
def _search_stem(
    block: Block, asked: Asked, question: int, work: Work, count: int, middle: int, skipped: float, best: Best
) -> None:
    """Offer the touched places to the question's own heap; stem entries before `middle` are looked up."""
    sums, touched = work.sums, work.touched
    floor = bar(best, question)
    for at in range(count):
        place = touched[at]
        score = sums[place]
        if score + skipped >= floor:
            low = asked.stems.starts[question]
            score = _finish(block, asked.stems, low, middle, place, score, skipped, floor)
            if score >= floor:
                floor = keep(best, question, score, block.first + place)


@inlined
def _add_own(block: Block, entries: Entries, low: int, high: int, work: Work) -> int:
    """Add the entries low..high-1 to `sums`, noting what was there; returns how many notes were made."""
    places, parts, starts = block.places, block.parts, block.starts
    slots, each = entries.slots, entries.times
    sums, noted_places, noted_sums = work.sums, work.noted_places, work.noted_sums
    noted = 0
    for entry in range(low, high):
        slot, times = slots[entry], each[entry]
        for at in range(starts[slot], starts[slot + 1]):
            place = places[at]
            before = sums[place]
            noted_places[noted] = place
            noted_sums[noted] = before
            noted += 1
            sums[place] = before + times * parts[at]
    return noted


@inlined
def _meets_groups(block: Block, asked: Asked, question: int, query: int, place: int) -> bool:
    """Whether `place` holds a term of each group that the query needs."""
    needed = asked.needed[query]
    low, high = asked.entries.starts[query], asked.entries.starts[query + 1]
    if needed == 0:
        return True
    if not _holds_any(
        block, asked.stems, asked.stems.starts[question], asked.stems.starts[question + 1], place, 0
    ):
        return False
    if needed > 1:
        for group in range(1, needed + 1):
            if not _holds_any(block, asked.entries, low, high, place, group):
                return False
    return True


@inlined
def _mark_required(block: Block, asked: Asked, query: int, met: npt.NDArray[np.int32]) -> int:
    """Count in `met` the required groups that each place meets; returns how many places meet all."""
    required, groups = asked.required, asked.required_groups[query]
    count = 0
    for group in range(groups):
        for entry in range(required.starts[query], required.starts[query + 1]):
            if required.groups[entry] == group:
                slot = required.slots[entry]
                for at in range(block.starts[slot], block.starts[slot + 1]):
                    if met[block.places[at]] == group:
                        met[block.places[at]] = group + 1
                        count += group + 1 == groups
    return count


@inlined
def _unmark_required(block: Block, asked: Asked, query: int, met: npt.NDArray[np.int32]) -> None:
    required = asked.required
    for entry in range(required.starts[query], required.starts[query + 1]):
        slot = required.slots[entry]
        for at in range(block.starts[slot], block.starts[slot + 1]):
            met[block.places[at]] = 0


@inlined
def _search_query(
    block: Block,
    asked: Asked,
    question: int,
    query: int,
    work: Work,
    middle: int,
    skipped: float,
    least: float,
    best: Best,
) -> None:
    """Offer every place that holds a term of the query's own.

    `work.sums` holds the stem's part but for its entries before `middle`, which can add `skipped` at most and
    are looked up; `least`: a floor known otherwise. The most frequent own term comes last and is only read.
    """
    entries = asked.entries
    low, last = entries.starts[query], entries.starts[query + 1] - 1
    while last >= low and block.most[entries.slots[last]] == 0.0:
        last -= 1
    if last < low:
        return
    floor = max(least, bar(best, query))
    met, required = work.met, asked.required_groups[query]
    noted = _add_own(block, entries, low, last, work)
    places, parts, starts = block.places, block.parts, block.starts
    sums, noted_places, noted_sums = work.sums, work.noted_places, work.noted_sums
    slot, times = entries.slots[last], entries.times[last]
    stem = asked.stems.starts[question]
    for at in range(starts[slot], starts[slot + 1]):
        place = places[at]
        score = sums[place] + times * parts[at]
        if score + skipped >= floor and met[place] == required:
            score = _finish(block, asked.stems, stem, middle, place, score, skipped, floor)
            if score >= floor and _meets_groups(block, asked, question, query, place):
                floor = max(floor, keep(best, query, score, block.first + place))
    for note in range(noted):
        place = noted_places[note]
        score = sums[place]
        if score + skipped >= floor and met[place] == required:
            # A place noted twice, or one that holds the last term, has been offered with its whole score.
            sums[place] = -np.inf
            if find(block, slot, place) < 0:
                score = _finish(block, asked.stems, stem, middle, place, score, skipped, floor)
                if score >= floor and _meets_groups(block, asked, question, query, place):
                    floor = max(floor, keep(best, query, score, block.first + place))
    for note in range(noted - 1, -1, -1):
        sums[noted_places[note]] = noted_sums[note]


@inlined
def _search_question(
    block: Block, asked: Asked, question: int, work: Work, stem_best: Best, best: Best
) -> None:
    """One question in one block. `work.sums` is zero before and after."""
    stems, entries = asked.stems, asked.entries
    sums, touched = work.sums, work.touched
    low, high = stems.starts[question], stems.starts[question + 1]
    start, stop = asked.queries[question], asked.queries[question + 1]
    plain = asked.needed[start] == 0
    stem_most = _most(block, stems, low, high)
    if stem_most == 0.0 and not plain:
        return
    least = bar(stem_best, question)
    wanted = np.inf
    for query in range(start, stop):
        own = _most(block, entries, entries.starts[query], entries.starts[query + 1])
        floor = max(least, bar(best, query))
        work.open[query - start] = own > 0.0 and own + stem_most > floor
        if work.open[query - start]:
            wanted = min(wanted, floor)
    if wanted == np.inf and (not plain or stem_most <= least):
        return
    # The most frequent stem terms are looked up, for the few sentences that can still win.
    budget = SLACK * (least if plain else wanted)
    skipped = 0.0
    middle = low
    while middle < high:
        more = stems.times[middle] * block.most[stems.slots[middle]]
        if skipped + more > budget:
            break
        skipped += more
        middle += 1
    count = _add_stem(block, stems, middle, high, sums, touched)
    if plain:
        _search_stem(block, asked, question, work, count, middle, skipped, stem_best)
        least = bar(stem_best, question)
    for query in range(start, stop):
        if work.open[query - start]:
            required = asked.required_groups[query] > 0
            if not required or _mark_required(block, asked, query, work.met) > 0:
                _search_query(block, asked, question, query, work, middle, skipped, least, best)
            if required:
                _unmark_required(block, asked, query, work.met)
    for at in range(count):
        sums[touched[at]] = 0.0


@compiled
def search_chunk(
    postings: Postings, terms: Terms, asked: Asked, size: int, stem_best: Best, best: Best
) -> None:
    """Fill `best` with the hits of each query, best first; `size`: sentences a block.

    `terms.cursors` is consumed; `stem_best`, one heap a question, is scratch.
    """
    questions = len(asked.queries) - 1
    slots = len(terms.idf)
    starts, most = np.empty(slots + 1, np.int64), np.empty(slots, np.float64)
    places, parts = np.empty(0, np.uint16), np.empty(0, np.float64)
    sums, touched = np.zeros(size, np.float64), np.empty(size + 1, np.uint16)
    met = np.zeros(size, np.int32)
    # A term may stand in several groups of a query, and is then noted in each.
    groups = max(1, int(asked.entries.groups.max())) if len(asked.entries.groups) else 1
    open_queries = np.zeros(len(best.sizes), np.bool_)
    noted_places, noted_sums = np.empty(0, np.uint16), np.empty(0, np.float64)
    for first in range(0, len(postings.lengths), size):
        filled = ends_in_block(postings, terms, min(first + size, len(postings.lengths)), starts)
        if filled > len(places):
            places, parts = np.empty(filled, np.uint16), np.empty(filled, np.float64)
            noted_places, noted_sums = (
                np.empty(filled * groups, np.uint16),
                np.empty(filled * groups, np.float64),
            )
        block = Block(first, places, parts, starts, most)
        work = Work(sums, touched, noted_places, noted_sums, open_queries, met)
        fill_block(postings, terms, block)
        for question in range(questions):
            _search_question(block, asked, question, work, stem_best, best)
    for question in range(questions):
        for query in range(asked.queries[question], asked.queries[question + 1]):
            if asked.needed[query] == 0:
                unite(best, query, stem_best, question)
            sort(best.scores[query], best.ids[query], best.sizes[query])
