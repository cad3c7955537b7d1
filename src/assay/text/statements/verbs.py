"""Verbs that questions are built of, and their forms: enough to undo do-support and to find where a
subject ends."""

from __future__ import annotations

BASES = frozenset(
    """
    absorb accept act adapt add affect aid allow appear apply attach attack attract avoid balance become
    begin behave believe belong bend benefit blow boil bounce break breathe bring build burn call carry
    catch cause change circulate classify clean climb close collect collide combine come communicate
    compare compete complete conclude condense conduct connect conserve consider consist construct
    consume contain continue contract contribute control convert cool cover create cross cycle damage
    deal decay decide decompose decrease define demonstrate depend deposit describe design destroy
    detect determine develop die differ digest disappear discover display dissolve distinguish divide do
    drink drive drop dry earn eat eliminate emit enable end enter erode erupt escape establish evaporate
    evolve examine exchange exert exhibit exist expand expect explain extend face fall feed feel fight
    fill find fit float flow focus follow force form freeze fuel function gain gather get give go grow
    guard hang happen harm hatch have hear heat help hibernate hide hold hunt identify illustrate
    improve include increase indicate influence inherit insulate interact invent involve join jump keep
    kill know lack last lead learn leave lie lift light limit list live locate look lose lower maintain
    make match mean measure melt migrate mix model move name need observe obtain occur offer open orbit
    organize originate own pass perform pick place play point pollinate pollute pose power predict
    prefer prepare prevent process produce promote protect prove provide pull pump push put raise reach
    react receive record recycle reduce refer reflect refract regulate rely release remain remove
    replace represent reproduce require resist respond result return reuse reveal revolve ride rise roll
    rotate run save say seal see seem send separate serve share shine show shrink sink slow smell solve
    speed spin spread stand start state stay stick stop store strike study suggest summarize supply
    support surround survive swim take taste tell test think throw tilt touch trade transfer transform
    translate transmit transport trap travel turn undergo understand use vary vibrate visit walk want
    warm wash watch wear weigh work write yield be vote bloom shed sprout germinate sleep swing slide
    fly dig crush shape sing print slam cut waste capture signal correct account contact blink wake
    impact proceed arrive strengthen answer try categorize coordinate accelerate value rust sense sneeze
    bark howl chew bite decorate illuminate obey decline magnify mate nest expose label inform ensure
    assist engage suffer resemble vaporize solidify crystallize ignite explode cook dispose plan repair
    adjust drain flood heal inject inspect inspire launch load mine peel plant pour press prey rain snow
    rub scratch shake shift sort split squeeze stretch surface switch track treat weather wrap blend
    burst bury collapse commit crack demand double emerge exceed extract fade fail filter fold glow
    graph grind guess isolate lay manage monitor multiply penetrate permit possess preserve purify
    radiate rank regrow reject repel retain reverse search sustain swallow synthesize tend terminate
    trigger twist unite warn wonder breed secrete excrete inhale exhale relax hit hurt
    """.split()
)
NOUNS_TOO = frozenset(
    """
    act aid attack balance benefit burn call cause change climb contract control cool cover cross cycle
    damage decay decrease deposit design display divide drink drive drop end exchange face fall feed
    fight fill find fit float flow focus force form freeze fuel function gain guard harm heat help hide
    hold hunt increase influence jump kill lack last lead light limit list look match mean measure model
    move name need offer open orbit own pass pick place play point pose power process pull pump push
    reach record release result return ride rise roll run save seal share shine show sink slow smell
    spin spread stand start state stay stick stop store strike study supply support surround swim taste
    test tilt touch trade transfer transport trap travel turn use visit walk want warm wash watch wear
    work yield vote bloom shed sprout sleep swing slide fly shape filter mate nest hit hurt leave
    produce dry bark bite plan repair drain flood load mine plant press prey rain snow shake shift sort
    split stretch impact answer value waste signal correct account contact surface switch track weather
    wrap burst crack demand double fold glow graph rank reverse search twist rust sense cut print label
    peel pour rub scratch squeeze treat blend guess raise
    """.split()
)
"""Verbs whose form is a noun or an adjective as well: taken for verbs only where nothing better stands."""
IRREGULAR = {
    line.split()[0]: tuple(line.split()[1:])
    for line in """
    be was been
    become became become
    begin began begun
    bend bent bent
    blow blew blown
    break broke broken
    breed bred bred
    bring brought brought
    build built built
    catch caught caught
    come came come
    deal dealt dealt
    dig dug dug
    do did done
    drink drank drunk
    drive drove driven
    eat ate eaten
    fall fell fallen
    feed fed fed
    feel felt felt
    fight fought fought
    find found found
    fit fit fit
    fly flew flown
    freeze froze frozen
    get got gotten
    give gave given
    go went gone
    grow grew grown
    cut cut cut
    hang hung hung
    have had had
    hear heard heard
    hide hid hidden
    hit hit hit
    hold held held
    hurt hurt hurt
    keep kept kept
    know knew known
    lead led led
    leave left left
    lie lay lain
    light lit lit
    lose lost lost
    make made made
    mean meant meant
    put put put
    ride rode ridden
    rise rose risen
    run ran run
    say said said
    see saw seen
    send sent sent
    shed shed shed
    shine shone shone
    show showed shown
    shrink shrank shrunk
    sink sank sunk
    sleep slept slept
    slide slid slid
    speed sped sped
    spin spun spun
    spread spread spread
    stand stood stood
    stick stuck stuck
    strike struck struck
    swim swam swum
    swing swung swung
    take took taken
    tell told told
    think thought thought
    throw threw thrown
    undergo underwent undergone
    understand understood understood
    wear wore worn
    write wrote written
    """.strip().splitlines()
}
_DOUBLED = frozenset(
    "drop stop trap transmit emit occur refer shed dig swim run spin hit fit put get".split()
)


def third(base: str) -> str:
    """The form for he, she, it: "carries", "has"."""
    if base in {"have", "do", "be"}:
        return {"have": "has", "do": "does", "be": "is"}[base]
    if base.endswith(("s", "x", "z", "ch", "sh", "go")):
        return base + "es"
    if base.endswith("y") and base[-2:-1] not in "aeiou":
        return base[:-1] + "ies"
    return base + "s"


def past(base: str) -> str:
    """The simple past: "carried", "grew"."""
    return IRREGULAR[base][0] if base in IRREGULAR else _regular(base)


def _regular(base: str) -> str:
    if base.endswith("e"):
        return base + "d"
    if base.endswith("y") and base[-2:-1] not in "aeiou":
        return base[:-1] + "ied"
    return base + (base[-1] if base in _DOUBLED else "") + "ed"


THIRDS = {third(base): base for base in BASES}
PASTS = {past(base): base for base in BASES if past(base) != base}
PARTICIPLES = {(IRREGULAR[base][1] if base in IRREGULAR else _regular(base)): base for base in BASES}


def is_participle(word: str) -> bool:
    """Whether a bare word can follow a form of be or have: known, or by its ending."""
    return (word in PARTICIPLES and (word not in BASES or word in {"become", "come", "put", "spread"})) or (
        len(word) > 4 and word.endswith("ed") and not word.endswith("eed") and "-" not in word
    )


def is_gerund(word: str) -> bool:
    """Whether a bare word looks like a verb in -ing; nouns that merely end so are left out."""
    return (
        len(word) > 4
        and word.endswith("ing")
        and word
        not in {"thing", "spring", "string", "something", "nothing", "everything", "anything", "during"}
        and word not in {"evening", "morning", "lightning", "being", "king", "wing", "ring"}
    )
