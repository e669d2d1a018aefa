/**
 * What addresses and the entities of HTML leave among the words of a text in any language: stop words of all of them. Endings such as
 * "org" and "html" are none, since they are words of texts about them.
 *
 * @example
 * ```ts
 * import { splitWords, WEB_WORDS } from "bonmf";
 * const words = splitWords("Nuts &amp; bolts: https://www.bolts.com");
 * words.filter((word) => !WEB_WORDS.has(word)); // → ["nuts", "bolts", "bolts"]
 * ```
 */
export const WEB_WORDS: ReadonlySet<string> = new Set(
  "http https www com mailto amp nbsp quot apos lsquo rsquo ldquo rdquo laquo raquo ndash mdash hellip".split(" "),
);

/**
 * English stop words: pronouns, articles, auxiliaries, prepositions, conjunctions, the most common adverbs, and
 * contractions; and {@link WEB_WORDS}. Compiled for this library from the closed word classes of English grammar.
 *
 * @example
 * ```ts
 * import { STOP_WORDS } from "bonmf";
 * [STOP_WORDS.has("the"), STOP_WORDS.has("cat")]; // → [true, false]
 * ```
 */
export const STOP_WORDS: ReadonlySet<string> = new Set([
  ...`a an the this that these those such same other others another each every either neither both all any some none no
  i me my mine myself we us our ours ourselves you your yours yourself yourselves he him his himself she her hers herself
  it its itself they them their theirs themselves one ones someone somebody something anyone anybody anything everyone
  everybody everything nobody nothing who whom whose which what whoever whatever whichever
  am is are was were be been being do does did doing done have has had having will would shall should can could may might
  must ought need dare cannot
  isn't aren't wasn't weren't don't doesn't didn't haven't hasn't hadn't won't wouldn't shan't shouldn't can't couldn't
  mightn't mustn't needn't ain't
  i'm i've i'd i'll we're we've we'd we'll you're you've you'd you'll he'd he'll she'd she'll it'd it'll they're they've
  they'd they'll that'll there'll who'll let's
  about above across after against along amid among around as at before behind below beneath beside besides between
  beyond but by concerning despite down during except for from in inside into like near of off on onto out outside over
  past per since than through throughout till to toward towards under underneath until up upon via with within without
  and or nor so yet if then else because although though unless while whereas whether when whenever where wherever why how
  however therefore thus hence moreover furthermore otherwise nevertheless
  again almost already also always even ever far further here there just less least more most much many few fewer little
  lot lots never not now often once only own perhaps quite rather really soon still too very well
  get gets got go goes going gone went let make makes made say says said see seen take taken took use used using
  etc eg ie vs mr mrs ms dr`
    .trim()
    .split(/\s+/),
  ...WEB_WORDS,
]);
