"""The words the rules know. Closed lists: a word that is not here makes a rule abstain, never guess."""

from typing import Final


def words_of(words: str) -> frozenset[str]:
    """Give the words of a text."""
    return frozenset(words.split())


BE: Final = words_of("is am are was were 's 're isn't aren't wasn't weren't isnt arent wasnt werent been")
HAVE: Final = words_of("has have had hasn't haven't hadn't hasnt havent hadnt 've")
DO: Final = words_of("do does did don't doesn't didn't dont doesnt didnt")
NOT: Final = words_of(
    "not isn't aren't wasn't weren't hasn't haven't hadn't don't doesn't didn't isnt arent wasnt werent hasnt havent "
    "hadnt dont doesnt didnt never n't"
)
MODALS: Final = words_of(
    "will would could might may shall should must can won't wouldn't couldn't shan't shouldn't "
    "mustn't can't cannot 'll 'd "
    "wont wouldnt couldnt shouldnt mustnt cant ought"
)
PRONOUNS: Final = words_of(
    "i we you he she it they this that these those there who which what whoever everyone everybody someone somebody "
    "anyone anybody nobody nothing something anything everything me us them him her mine ours theirs one ones here"
)
OURS: Final = words_of("i we")
FILLERS: Final = words_of(
    "and but so yet well yes yeah yep ok okay fyi fwiw btw hi hey hello hmm ah oh also then plus now "
    "currently today yesterday actually basically anyway though however thus therefore hence meanwhile still again "
    "additionally moreover furthermore besides finally no nope sorry right update because since as while "
    "whereas although even just already only good great news unfortunately sadly fortunately luckily tldr "
    "tl;dr morning all folks team"
)
DETERMINERS: Final = words_of(
    "the a an our my your his her its their this that these those some any all both each every"
)
PREPOSITIONS: Final = words_of(
    "in on at of for with by from per since during to into within across over under between among "
    "through via after before "
    "against until till about as around w/ without inside outside"
)
CONJUNCTIONS: Final = words_of(
    "and but so because since although though while whereas which yet or then plus however nor"
)
ADVERBS: Final = words_of(
    "now currently today still already also only just exactly precisely presently again back "
    "consistently always usually "
    "typically generally at the moment fully completely entirely officially actually really roughly recently finally "
    "automatically meanwhile this right both all"
)
LEVELS: Final = words_of(
    "reached reaches hit hits totals totalled totaled equals averages averaged costs cost weighs weighed "
    "measures measured exceeds exceeded tops topped remains remained stands stood sits sat stays stayed "
    "runs ran comes came fell dropped rose grew climbed went declined increased decreased shrank ended "
    "landed clocked peaked amounts amounted slipped jumped surged dipped fluctuated bottomed settled "
    "lasts lasted takes took numbers numbered take cost last reach equal remain stand sit stay measure "
    "weigh exceed average total got improved worsened doubled tripled halved moved"
)
"""Verbs whose object or complement is the level of their subject."""
LEVEL_PARTICLES: Final = words_of("at to in out on up off by down from above below over for")
COUNTS: Final = words_of(
    "has have had holds hold held contains contain contained includes include included owns own owned "
    "uses use used employs employ employed supports support supported serves serve served handles handle "
    "handled processes process processed stores store stored consumes consume consumed spends spend spent "
    "got gets get saw sees see received receives receive reported reports report found finds find sold "
    "sells sell lost loses lose gained gains gain added adds removed shipped ships closed signed signs "
    "caused causes produced produces generated generates raised made makes earned earns counted logged "
    "logs recorded records ran runs operates operate operated manages manage managed covers cover covered "
    "spans span spanned comprises comprised lists listed shows showed tracks track counts opened resolved "
    "completed returned returns uploaded imported exported migrated hired onboarded lists list completed "
    "merged detected failed passed skipped blocked served paid pays pay charges charge charged bills "
    "billed quoted burned burnt used draws drew needs requires occupies occupied writes hosts host hosted "
    "delivers delivered deployed churned seats answered sent booked fixed raises bought buys"
)
"""Verbs whose object may be counted, or priced."""
NORMATIVE: Final = words_of("needs requires need require")
EVENTS: Final = words_of(
    "closed closes run expire departed launched launches started starts began begins ended ends expires "
    "expired expire renews renewed renew finished finishes finish completed completes opened opens failed "
    "fails succeeded shipped went goes runs ran lapses lapsed released arrived arrives left joined died "
    "rolled cut merged deployed migrated moved signed founded retired deprecated removed introduced "
    "published happened occurred crashed restarted rebooted patched upgraded announced cancelled canceled "
    "approved rejected renamed reported took takes kept keep keeps lives lived last lasts lasted dates "
    "dated refreshes rotates rotate rotated retained retain retains passed passes returned stopped stops "
    "resolved filed acquired hired won lost received decommissioned sunset enabled disabled switched "
    "turned tested audited certified cleared notified"
)
"""Verbs that something happens by, on a day or for a time."""
ACTIONS: Final = words_of(
    "store stores use uses run runs have has support supports keep keeps fail fails work works log "
    "logs send sends share "
    "shares sell sells offer offers accept accepts charge charges encrypt encrypts back sync syncs "
    "start started finish "
    "finished ship ships shipped exist exists pass passes respond responds return returns include "
    "includes contain contains "
    "expire expires cover covers cache caches retry retries collect collects process processes host "
    "hosts own owns write "
    "writes read reads restart restarted crash crashed sign signed complete completed renew renewed "
    "break broke drop lose "
    "lost change changed deploy deployed roll receive received approve approved merge merged test "
    "tested migrate migrated "
    "record records track tracks expose exposes train trains require requires apply applies hold "
    "holds see seen shipped "
    "launched announced touch touched affect affects affected cause caused reproduce reproduces "
    "overlap leak happen happened "
    "replicate depend depends handle handles serve serves"
)
"""Verbs whose denial, `does not …`, is worth a claim."""
STATES: Final = words_of(
    "done enabled disabled encrypted unencrypted signed unsigned live down up online offline compliant "
    "available unavailable public private open closed complete incomplete deprecated active inactive "
    "ready done finished approved rejected merged deployed blocked unblocked resolved unresolved broken "
    "fixed green red healthy unhealthy degraded paused archived deleted retired certified accredited "
    "supported unsupported mandatory empty full late overdue paid unpaid cancelled canceled shipped "
    "released published renewed expired valid invalid vacant occupied installed configured migrated "
    "decommissioned automated manual patched unpatched vulnerable insured licensed operational running "
    "stopped exposed reachable unreachable idle redundant replicated backed monitored tested untested "
    "audited vegan organic burned exhausted depleted sold staffed read-only gdpr-compliant soc2-compliant "
    "pci-compliant hipaa-compliant in-house self-hosted idempotent immutable versioned cached compressed "
    "stale fresh corrupt locked unlocked suspended frozen booked confirmed finalised finalized complete "
    "bankrupt profitable unprofitable working"
)
"""Adjectives and participles that state a fact anybody can check; `ugly`, `slow` and `great` are not among them."""
WRONG: Final = words_of(
    "wrong incorrect outdated obsolete false inaccurate untrue mistaken invalid bogus stale nonsense off"
)
FIGURES: Final = words_of("figure number value estimate stat statistic count quote total one price rate claim reading")
PEOPLE: Final = words_of(
    "customer customers client clients user users board boss manager team sales legal marketing finance procurement "
    "security support engineering product compliance hr ops infra platform design management "
    "leadership ceo cto cfo coo "
    "ciso vp auditor auditors regulator regulators partner partners vendor vendors supplier "
    "suppliers investor investors "
    "shareholders stakeholders everyone everybody people folks somebody someone landlord council "
    "committee tenant tenants "
    "patients nurses doctors parents teachers students chef owner owners members union works'council residents "
    "developers devs engineers analysts admins contractors employees staff lawyers counsel operations they he she"
)
"""Who may want something."""
IMPERATIVES: Final = words_of(
    "cut grow hit reach win beat boost trim halve double shrink drive sell spend lose aim target push "
    "improve maximise maximize minimise minimize add adjust allow alert announce answer append apply "
    "archive ask assign assume attach avoid be block book bring bump bypass call cancel change check "
    "choose clean clear close collect compare configure confirm consider convert copy create deactivate "
    "decrease delete deploy describe disable disregard do document don't dont download draft drain drop "
    "email enable ensure escalate establish execute exclude expand explain export extend fetch figure "
    "file fill find fix follow forget forward get give go grab grant guarantee have hire hold ignore "
    "implement import include increase inform insert install introduce investigate invite invoke keep "
    "kill leave let list look lower make mark merge migrate modify move name never note notify obey open "
    "order override pick ping place plan postpone prepare pretend prioritise prioritize print proceed "
    "provide publish pull push put raise re-run rebuild recall reconcile record redeploy reduce refactor "
    "refund reject release remember remind remove rename renew repeat replace reply report repost request "
    "rerun rerun reset resolve respond restart restore resume return revert review rewrite roll rotate "
    "run save say scale schedule see select send set share ship shut sign simulate skip start state stop "
    "store submit summarise summarize swap switch take tell terminate test track transfer treat trim "
    "trust try turn update upgrade upload use verify wait warn watch write pause reboot cap limit drill "
    "measure hand"
)
NOUNS_TOO: Final = words_of(
    "hit target win double drive sell push boost spend reach order record report test build release "
    "plan rate cost cache log request deploy sign file state "
    "store share name list "
    "mark note export import support review limit cap change call access update upgrade load return transfer release "
    "start track hire hold run scale stop switch turn measure drop fix alert answer block close copy "
    "cancel check clean find "
    "forward get go grant invite look merge move open order pick ping place print pull push put "
    "raise refund reset restart "
    "save see send set ship shut try use wait watch address market display query search"
)
"""Imperatives that are nouns too, so that `build time is 5 min` is no order."""
SPEECH: Final = words_of(
    "say says said reports reported states stated finds found shows showed confirms confirmed announced "
    "announces writes wrote notes noted quotes mentions mentioned tells told lists listed indicates "
    "indicated claims claimed reveals revealed measured published publishes puts cites cited disclosed "
    "discloses observed quoted records"
)
"""Verbs of reporting: what follows is told as so, by somebody named."""
BELIEF: Final = words_of(
    "thinks thought reckons believes believed guesses suspects feels assumes expects expected predicts "
    "forecasts forecast projects projected estimates estimated anticipates hopes doubts wonders imagines "
    "supposes fears worries suggests suggested speculates hints swears insists argues bets figures"
)
"""Verbs of reported belief: what follows is nobody's word."""
UNCOUNTED: Final = words_of("times time people percent hours days weeks months years ago points")
WANTED: Final = words_of(
    "mock-up mockup template sketch wireframe brochure storyboard prototype "
    "ideal required recommended desired target targeted planned proposed projected budgeted forecast "
    "forecasted estimated "
    "hypothetical simulated assumed wanted intended hoped aspirational suggested advertised goal "
    "objective supposed promised imaginary "
    "fictional notional theoretical optimal preferred mandated"
)
"""Words that make a level one that is wanted, planned or supposed: `the ideal response time is 200 ms`."""
TELLING: Final = words_of(
    "claims says states notes suggests reports shows claim say think believe promise insist suggest "
    "argue assume expect pretend puts put imply hint swear hope guess"
)
"""Verbs of telling that a subject never has inside it."""
PROMOTED: Final = words_of(
    "picture pictures pictured advertise advertises advertised dangle dangles dangled float floats floated sketch "
    "sketches sketched depict depicts depicted tout touts touted pitch pitches pitched tease teases "
    "teased hint hints hinted "
    "propose vow vows vowed swear swears swore pretend market markets marketed moot moots mooted lure lures lured"
)
"""Verbs of showing what might be."""
PAST: Final = words_of(
    "went ran came took made gave got kept held lost won sold bought paid spent built sent brought wrote "
    "led met left fell rose grew drew saw sat stood shot hit beat burst hurt split spread quit swung slid "
    "sank drank ate flew drove rode broke woke wore tore bore stole froze began swam rang dug hung stuck "
    "struck spun fed bled bred sped fled lit bit hid slept swept crept dealt burnt lent bent caught "
    "taught fought found bound wound shook withdrew withdrawn overtook underwent outgrew held drawn grown "
    "flown driven ridden broken worn torn borne stolen frozen begun given taken written shown seen done "
    "gone eaten beaten hidden chosen fallen thrown threw sown cast cost born handed left read"
) - {"read", "left"}
"""Past tenses and participles that do not end in `-ed`."""
UNTOLD: Final = words_of(
    "want wants wanted need needs needed require requires required propose proposes proposed suggest "
    "suggests suggested ask asks asked request requests requested demand demands demanded target targets "
    "targeted aim aims aimed plan plans planned budget budgets budgeted allow allows allowed permit "
    "permits permitted cap caps limit limits forbid forbids forbade forbidden prohibit prohibits "
    "prohibited ban bans banned hope hopes hoped think thinks thought believe believes believed reckon "
    "reckons reckoned estimate estimates estimated forecast forecasts forecasted predict predicts "
    "predicted project projects projected assume assumes assumed suppose supposes supposed imagine "
    "imagines imagined claim claims claimed promise promises promised offer offers offered threaten "
    "threatens threatened advise advises advised recommend recommends recommended insist insists insisted "
    "intend intends intended pledge pledges pledged commit commits committed guarantee guarantees "
    "guaranteed aspire aspires aspired seek seeks sought wish wishes wished prefer prefers preferred "
    "favour favours favoured favor favors favored urge urges urged call calls called push pushes pushed "
    "lobby lobbies lobbied vote votes voted consider considers considered contemplate contemplates "
    "contemplated weigh weighs weighed envisage envisages envisaged envision envisions envisioned foresee "
    "foresees foresaw anticipate anticipates anticipated schedule schedules scheduled earmark earmarks "
    "earmarked expect expects expected feel feels felt guess guesses guessed doubt doubts doubted fear "
    "fears feared bet bets wonder wonders wondered seem seems seemed appear appears appeared look looks "
    "looked sound sounds sounded dream dreams dreamed dreamt pretend pretends pretended decide decides "
    "decided agree agrees agreed resolve choose chooses chose opt opts opted mandate mandates mandated "
    "stipulate stipulates stipulated oblige obliges obliged dictate dictates dictated bind binds specify "
    "specifies specified prescribe prescribes prescribed entitle entitles entitled restrict restricts "
    "disallow disallows disallowed invite invites invited order orders ordered instruct instructs "
    "instructed tell tells told let lets try tries tried attempt attempts attempted manage help helps "
    "helped mean means meant imply implies implied deny denies denied dispute disputes disputed refuse "
    "refuses refused reject rejects fail question questions questioned negotiate negotiates negotiated "
    "bid bids quote simulate simulates simulated model models modelled modeled test compare compares "
    "compared average refer refers referred mention mentions mentioned discuss discusses discussed would "
    "could should might may must shall will can say says said argue argues argued regret regrets "
    "regretted warn warns warned aim set sets put puts become becomes save calculate calculates "
    "calculated tend tends tended deserve deserves deserved owe trust trusts trusted remember remembers "
    "remembered know knows knew understand understands understood hear hears heard worry worries worried "
    "like likes liked love loves loved hate hates hated enjoy enjoys enjoyed is are was were be been "
    "being has have had does do did"
) - words_of("set weighed weighs weigh average calls called model models") | words_of("called")
"""Verbs whose object is wanted, thought, allowed, offered or only spoken of: no statement of how things are."""
LEVELLING: Final = words_of(
    "totalling totaling averaging costing weighing covering spanning serving reaching measuring holding containing "
    "affecting involving using saving processing handling numbering paying earning selling receiving seeing running "
    "losing spending producing storing making carrying"
)
"""Participles behind a comma that go on with what was stated: `17 invoices are overdue, totalling $22,840`."""
