"""Closed classes of English words that the grammatical statement goes by, and the few open ones it must
know."""

from __future__ import annotations

BE = frozenset("is are was were".split())
HAVE = frozenset("has have had".split())
DO = frozenset("do does did".split())
MODALS = frozenset("can could will would shall should may might must cannot".split())
NEGATED = frozenset(
    """
    isn't aren't wasn't weren't hasn't haven't hadn't don't doesn't didn't can't couldn't won't wouldn't
    shouldn't mustn't
    """.split()
)
AUXILIARIES = BE | HAVE | DO | MODALS | NEGATED
ARTICLES = frozenset("a an the".split())
DETERMINERS = ARTICLES | frozenset(
    """
    this that these those its their his her my your our each every some any all both no another many
    several few one two three four five six seven eight nine ten most more
    """.split()
)
PRONOUNS = frozenset("it they he she we you i there this that these those".split())
SUBJECTS = frozenset("it they he she we you i there".split())
PREPOSITIONS = frozenset(
    """
    about above across after against along among around as at before behind below beneath beside between
    beyond by despite down during except for from in inside into like near of off on onto out outside
    over past per since than through throughout to toward towards under underneath until up upon via
    with within without because compared
    """.split()
)
PARTICLES = frozenset("out up off down away back apart together".split())
SUBORDINATORS = frozenset(
    "when if because while after before since until as unless although once whenever".split()
)
ADVERBS = frozenset(
    """
    best most least more less likely probably usually often always never only also not mainly mostly
    better now still then even just ever almost nearly both all sometimes soon first last well too very
    so there perhaps about around longer fastest faster
    """.split()
)
WH = frozenset("which what who whom whose where when why how".split())
NO_ADVERBS = frozenset(
    "reply family supply assembly anomaly fly jelly belly butterfly lily italy july".split()
)
"""Nouns that end as adverbs do."""
ADJECTIVES = frozenset(
    """
    true false correct incorrect alike similar different important able good bad necessary responsible
    essential warm cold hot cool dry wet dark bright visible harmful helpful useful dangerous gray green
    red blue white black brown yellow alive dead aware available common rare strong weak hard soft heavy
    light larger smaller greater warmer colder hotter cooler brighter higher lower older younger coldest
    warmest hottest longest shortest highest lowest greatest smallest largest closest nearest equal safe
    unsafe renewable nonrenewable considered
    """.split()
)
STATEMENTS = frozenset(
    """
    statement statements sentence sentences conclusion conclusions explanation explanations fact facts
    observation observations hypothesis inference prediction generalization description descriptions
    claim idea comparison reason reasons relationship theory information evidence summary result results
    outcome
    """.split()
)
KINDS = frozenset("type types kind kinds form forms sort sorts class classes category group".split())
IMPERATIVES = frozenset(
    """
    choose select identify name find pick mark describe explain state give tell indicate determine
    """.split()
)
EMPHATIC = frozenset(
    """
    NOT EXCEPT BEST MOST LEAST ALL ONLY GREATEST SMALLEST LARGEST FIRST LAST NEVER ALWAYS
    """.split()
)
PROPER = frozenset(
    """
    mercury venus earth mars jupiter saturn uranus neptune pluto moon sun january february march april
    may june july august september october november december monday tuesday wednesday thursday friday
    saturday sunday africa america asia europe australia antarctica arctic atlantic pacific indian
    english american celsius fahrenheit kelvin newton newtons einstein darwin galileo alabama alaska
    arizona arkansas california colorado connecticut delaware florida georgia hawaii idaho illinois
    indiana iowa kansas kentucky louisiana maine maryland massachusetts michigan minnesota mississippi
    missouri montana nebraska nevada ohio oklahoma oregon pennsylvania tennessee texas utah vermont
    virginia washington wisconsin wyoming canada mexico china japan india brazil france germany italy
    spain england britain russia egypt kenya greenland iceland european african asian latin greek roman
    french german halley halley's newton's earth's mars's jupiter's venus's saturn's sun's moon's mendel
    pasteur curie edison franklin bohr rutherford dalton mendeleev hubble kepler copernicus wegener
    watson crick
    """.split()
)
COMMON = frozenset(
    """
    a an the this that these those its their his her my your our each every some any all both no another
    many several few one two three four five six seven eight nine ten eleven twelve it they he she we
    you there because by to in on at from with for of as if when while after before during through into
    under over between and or not only more less most where how why what which who than about near
    inside outside
    """.split()
)
COMMON_ENDINGS = tuple(
    """
    ing tion sion ment ness ity ism ology ance ence ly ed ous ive able ible ful less ship sis ture phere
    """.split()
)
ADJECTIVE_ENDINGS = ("al", "ic", "ive", "ar", "ous", "ory", "able", "ible")
NO_ADJECTIVES = frozenset(
    """
    metal mineral animal crystal coal signal hospital petal mammal material chemical coral canal meal
    seal plastic fabric mechanic music sugar car star jar bar collar cellar nectar territory factory
    battery table cable vegetable olive hive dive arctic topic individual original terminal
    calendar radar
    """.split()
)
_OPENING = "\"'“‘([{¿¡«"
_EDGES = "\"'“”‘’()[]{},;:.!?¿¡"


def bare(word: str) -> str:
    """The word in lower case without the punctuation around it; a curly apostrophe made straight."""
    return word.strip(_EDGES).lower().replace("’", "'")


def is_adverb(word: str) -> bool:
    """Whether a bare word may stand between an auxiliary and its verb."""
    return word in ADVERBS or (len(word) > 4 and word.endswith("ly") and word not in NO_ADVERBS)


def opens_noun_phrase(word: str) -> bool:
    """Whether a word as written (not bare) can only be the first of a noun phrase."""
    plain = bare(word)
    return (
        plain in DETERMINERS - {"most", "more", "less"} or plain in SUBJECTS or plain.endswith(("'s", "s'"))
    )


def is_adjective(text: str) -> bool:
    """Whether a choice is nothing but adjectives: "immune", "digestive and circulatory". By endings; else
    False."""
    words = [bare(word) for word in text.split()]
    kept = [word for word in words if word not in {"and", "or", "non"}]
    return 0 < len(kept) <= 3 and all(
        word in {"immune", "nuclear", "radiant"}
        or (word.endswith(ADJECTIVE_ENDINGS) and word not in NO_ADJECTIVES)
        for word in kept
    )


def capital(text: str) -> str:
    """With a capital, unless the first word has one of its own inside: pH, mRNA."""
    first = text.split(" ", 1)[0]
    if any(letter.isupper() for letter in first[1:]):
        return text
    for place, letter in enumerate(text):
        if letter.isalnum():
            raised = letter.upper()
            return text if len(raised) != 1 else text[:place] + raised + text[place + 1 :]
        if letter not in _OPENING:
            return text
    return text


def small(text: str, known: frozenset[str] = frozenset()) -> str:
    """Without its first capital where that only opened a sentence.

    Lowered are words that are no names (by list, by ending) and those in `known`, bare words seen in lower
    case elsewhere. Everything else keeps its capital: "Mars", "DNA", "H2O", "Fe" must not be lost.
    """
    words = text.split(" ")
    first = bare(words[0])
    if not text[:1].isupper() or any(letter.isupper() for letter in words[0][1:]) or first in PROPER:
        return text
    # "A" may be a label, "I" a numeral: "A and C".
    if len(first) == 1 and (len(words) == 1 or bare(words[1]) in {"and", "or", "&"}):
        return text
    plural = (
        len(first) > 3
        and len(words) > 1
        and first.endswith("s")
        and not first.endswith(("ss", "us", "is", "'s"))
    )
    if plural or first in COMMON or first in known or (len(first) > 4 and first.endswith(COMMON_ENDINGS)):
        return text[:1].lower() + text[1:]
    return text
