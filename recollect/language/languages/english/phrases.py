"""English phrases: what sentences do, and how people refer to turns and conversations."""

from recollect.language.definition import (
    Ordinals,
    RequestPhrases,
    SaliencePhrases,
    SubjectPhrases,
    TurnReferences,
)

SALIENCE = SaliencePhrases(
    decision=r"""
        decided; agreed (?:to|on|that|upon|with); settled on; chosen; (?:i|we|they) chose; opted for
        (?:i|we)(?:'ve| have)? (?:\w+ )?(?:agreed|settled|picked|selected); decision; it's settled
        let'?s (?:go (?:with|for)|use|stick (?:with|to)|do|take the|keep|make it|choose|pick)
        (?:we're|we are|i'm|i am) (?:going with|sticking with|using|switching); we went (?:with|for)
        (?:i|we)(?:'ll| will) (?:go with|use|stick with); made up (?:my|our) mind; from now on
        switch(?:ed|ing)? (?:to|from); (?:pushed|moved) (?:back )?to; postponed; rescheduled
        changed (?:my|our) mind; no longer; i meant
    """,
    preference=r"""
        (?:i|we|user|he|she|they)(?:'d| would| do)? (?:\w+ly )?(?:prefers?|rather|likes?|loves?\
            |enjoys?); (?:i|we|user|he|she|they) (?:\w+ly )?(?:hates?|dislikes?|can't stand)
        preferences?; favou?rites?
        (?:i|we) (?:always|only|usually|normally) (?:want|take|use|drink|eat|book|fly|work|wear)
        (?:works|suits) (?:\w+ )?(?:for )?(?:me|us); i(?:'m| am) (?:\w+ )?(?:fond|a fan) of
    """,
    constraint=r"""
        (?:do not|don't|dont) (?!worry|mind|know|think|understand|forget|be(?:lieve)?)\w+
        never (?!mind|been|\w+ed|had|saw|understood|knew|got)\w+; stop \w+ing
        under no circumstances
        (?:must|cannot|can not|can't)(?! be| believe| wait| find| help| remember| stand| tell)
        mustn't; may not; should not; shouldn't; not allowed; not permitted; forbidden; prohibited
        avoid
        \Ano (?!problem|idea|worries|thank|way|one|doubt|need|matter|wonder|rush|hurry|longer)\w+
        no (?:more|less|later|longer) than; at most; up to \S+; (?:has|have) to be; required
        allerg(?:y|ic|ies); intoleran(?:t|ce); vegan; vegetarian; diabetic
    """,
    goal=r"""
        (?:i|we|user|he|she|they)(?:'m|'re| am| are)? (?:wants?|needs?|plans?|hopes?|trying\
            |planning); (?:my|our) (?:\w+ )?(?:goal|aim|plan|task|project); (?:goal|aim) is
        help me (?:plan|write|build)
        (?:i'm|i am|we're|we are) (?:\w+ )?(?:working|building|writing|organi[sz]ing|preparing\
            |learning)
    """,
    notice="""
        remember (?!when); keep in mind; bear in mind; note that; please note; for the record; fyi
        important(?:ly)?; don't forget; for your information; just so you know; make sure
        should mention; write (?:this|it|that) down; (?:my name is|call me|i go by); correction
    """,
    open="""
        still (?:have|has|need|needs|open|undecided|unclear|missing|pending|waiting); tbd; tbc
        to-?do; to be (?:decided|confirmed); open (?:question|issue|point)s?
        not (?:yet )?(?:decided|clear)
    """,
    first_person="""
        my; our; ours; mine; i; i'm; i've; i'd; i'll; we; we're; we've; we'd; we'll; us; me
    """,
    practical="""
        budgets?; fees?; rent; salary; loan; invoices?; payments?; deposit; refund; orders?
        bookings?; booked; reservations?; reference; tickets?; contracts?; insurance; accounts?
        customers?; clients?; suppliers?; passwords?; licen[cs]e; passport; phone number; address
        flights?; hotel; visa; appointments?; deadlines?; due; exams?; interview; wedding; married
        release; launch; delivery; project; team; manager; boss; colleagues?; lawyer; doctor
        landlord; accountant; contact; servers?; database; config(?:uration)?; script; backups?
        repo(?:sitory)?; files?; folder; data; letter; venue
    """,
    transient=r"""
        yesterday; last (?:night|week|weekend|month|summer|winter|year|time); the other day; tonight
        this (?:morning|afternoon|evening); \w+ (?:days?|weeks?|months?|years?|hours?|minutes?) ago
        just now; right now; at the moment; imagine that; (?:some|one) day; maybe; perhaps
        (?:i|we|he|she|they) (?:\w+ )?\w{2,}ed
        (?:went|saw|told|bought|sent|paid|left|ate|met|had|was)
        (?:were|came|took|heard|slept|found|drove|lost|kept|brought|fell|ran|got|gave|won|felt\
            |thought)
    """,
    request=r"""
        (?:please |now |and )?(?:tell|give|show|read) (?:me|us)
        (?:please )?(?:explain|compare|translate)
        (?:please )?(?:summari[sz]e|describe|list|suggest|recommend|rewrite|shorten|calculate\
            |convert)
        (?:please )?(?:write|make|find|draw|draft|create|generate) (?:me|a|an|another|this|it)
        make the .*er
    """,
    courtesy="""
        hi; hello; hey; good (?:morning|evening|afternoon|night); thanks?; thank you; thx; ok(?:ay)?
        sure; great; perfect; nice; cool; wow; ha(?:ha)+; lol; yes; no; right; got it; understood
        noted; welcome; you're welcome; sorry; glad; bye; see you; sounds good; of course
        no problem; let me know; feel free; good to know; good (?:choice|question|idea)
    """,
    question=r"""
        (?:can|could|would|will|do|does|did|is|are) (?:you|i|we|it|the|there)
        (?:what|who|which|when|where|why|how)(?:'s)? (?!you|i |we )\w+
    """,
)
REFERENCES = TurnReferences(
    ordinals=(
        Ordinals(
            stems="""
                first 1st, second 2nd, third 3rd, fourth 4th, fifth 5th, sixth 6th, seventh 7th,
                eighth 8th, ninth 9th, tenth 10th, last latest previous earlier, penultimate
            """,
            determiners="the",
            anywhere=("{} one", "the {} one"),
            clause_end=("the {} question", "my {} question", "the {} answer", "your {} answer"),
        ),
    ),
    last="""
        said earlier; asked earlier; mentioned earlier; earlier you said; previous question
        previous answer; previous message; previous query
    """,
    last_at_clause_end="earlier",
    last_but_one="second to last one; second-to-last one",
    last_but_one_at_clause_end="second to last; second-to-last; next to last",
    idioms="""
        first one to; last one to; by the second; no earlier; or earlier; and earlier; days earlier
        weeks earlier; years earlier; on the 1st; on the 2nd; on the 3rd; on the 4th; on the 5th
        on the 6th; on the 7th; on the 8th; on the 9th; on the 10th
    """,
    turn_nouns="turn",
    before_turn_noun="in; at; from; of; on; the",
    before_verb="(?:i|you|we|they|he|she)(?:'ll)?; will; would",
    courtesies="please; again",
)

_OLD = "(?: other| old| older| last| previous| earlier| long| recent| same)?"
_THE = "(?:the|that|this|those|these|my|our|your|an?|which|what|where|when)"
_TALK = (
    "(?:talk(?:ed)?|sp[eo]ak|spoken?|discuss(?:ed)?|chatted|were (?:talk|speak|discuss|plann)ing|"
    "went over|(?:figur|work)ed out|looked (?:at|into)|planned|asked(?: you)?|told you)"
)
REQUESTS = RequestPhrases(
    opening="""
        hey; hi; hello; ok; okay; so; now; then; and; please; actually; sorry; just; also; you know
        (?:can|could|would|will|shall|may) (?:you|we|i); let'?s; let (?:us|me); i wanna; help me
        i(?:'d| would) (?:like|love)(?: you)? to; i (?:want|need)(?: you)? to
    """,
    verbs=f"""
        (?:go|switch|jump|skip|hop)(?: me| us)?(?: back)?(?: over)? to; (?:go|switch|jump|get) back
        (?:return|move|change|turn|get|come)(?: back)?(?: over)? to(?= {_THE} ); back to; revisit
        (?:take|bring|put|get|send) (?:me|us)(?: right)?(?: back)?(?: over)?(?: to| there)?
        (?:pull|bring|dig|call|look)(?: me)? (?:up|out|back); (?:show|give|find) me; look for
        (?:re-?)?open it; (?:(?:re-?)?open|load)(?: up)?(?= {_THE} ); find it; find(?= {_THE} )
        pick(?: it)? up(?: again)?(?: on| with| from)?; (?:continue|carry on|go on) with
        (?:continue|resume)(?= {_THE} ); (?:do you )?remember (?:when|how|that time)
        do you remember; where (?:is|was|are|were)(?= {_THE} ); where's; what happened to
    """,
    chat_nouns="chats?; conversations?; discussions?; threads?; talks?; convos?",
    chat=f"""
        (?:(?:the|that|this|our|my|which|an?){_OLD} )?<chat>(?:(?: that)? we (?:had|started))?
    """,
    pronouns=f"(?:the|that|this){_OLD} (?:one|part|bit|time|stuff|topic)",
    talked=f"""
        (?:where |when |in which )?(?:did |have )?(?:we|i) {_TALK}(?: about| of| on| through)?
    """,
    links="""
        about; regarding; concerning; to do with; on; with; for; of; where; when; in which; that
        had; called; named; titled
    """,
    articles="the",
    closing=f"""
        please; again; thanks; thank you; for me; (?:that )?we (?:had|{_TALK} about|discussed)
    """,
)

_TURN_OWNER = (
    "(?:the|that|your|my|our)(?: other| last| latest| previous| earlier| first| second| third)?"
    "(?: long| short| old)?"
)
_TURN = (
    "(?:one|part|question|answer|reply|message|bit|point|stuff|discussion|suggestion|advice|"
    "comment|explanation)s?"
)
_TALKED = "(?:talked|spoke|asked|wrote|were talking|told (?:me|you))(?: _)? about"
_DISCUSSED = "(?:discussed|were discussing|mentioned|brought up)"
_SAID = (
    "(?:say|said|tell (?:me|you)|told (?:me|you)|ask(?:ed)?(?: you)?|write|wrote|mention(?:ed)?|"
    "decided?|agreed?|suggest(?:ed)?|recommend(?:ed)?)"
)
_ABOUT = "(?:about|regarding|concerning|related to|to do with)"
SUBJECTS = SubjectPhrases(
    before=f"""
        {_TURN_OWNER} {_TURN}(?: from)?(?: earlier| before)? {_ABOUT}
        {_TURN_OWNER} {_TURN} (?:where|when|in which) (?:i|you|we)(?: _)? {_TALKED}
        {_TURN_OWNER} {_TURN} (?:where|when|in which) (?:i|you|we) {_DISCUSSED}
        (?:the|that|your|my) (?:one|question|answer|reply|message) (?:with|on)
        (?:the|that|your|my) (?:part|point|discussion|advice|comment) on
        what(?: did)? (?:i|you|we)(?: _)? {_SAID}(?: _)? (?:about|on|regarding|concerning)
        when (?:i|you|we)(?: _)? {_TALKED}; when (?:i|you|we) {_DISCUSSED}
        (?:i|you|we)(?: _)? (?:said|mentioned|told me|asked|wrote) something(?: _)? about
        (?:i|you|we) (?:talked|spoke|asked) (?:earlier|before|previously|already) about
    """,
    after=f"(?:that |which )?(?:i|you|we)(?: _)? (?:{_TALKED}|{_DISCUSSED})",
    articles="the; that; those; these; our; my; your",
    not_subjects=r"""
        (?:the |my |your )?\
            (?:left|right|top|bottom|other|table|desk|shelf|wall|floor|list|page|screen)
    """,
    pronouns="""
        it; that; this; them; these; those; him; her; me; you; us; all (?:of )?(?:it|that|this)
    """,
    closing="please; again; earlier; before",
)
