/**
 * German words that the list of the package lacks: conjunctions, pronouns, pronominal adverbs, prepositions, auxiliaries and adverbs that
 * join or weaken sentences. Compiled for this library from the closed word classes of German grammar.
 */
export const GERMAN_STOP_WORDS: readonly string[] = `
  falls sofern sobald solange sooft sowohl sodass indes indessen bevor obwohl obgleich obschon wenngleich weder dennoch gleichwohl
  wobei wodurch womit wofür worauf woraus worin wovon wozu woran worüber worum wonach wogegen worunter weswegen
  hierbei hierfür hiermit hierzu hierdurch hierauf hieraus hierin hiervon hieran hierüber hierunter
  voneinander miteinander untereinander zueinander aufeinander nacheinander nebeneinander ineinander auseinander füreinander
  mehrere mehrerer mehreren mehreres etliche etlicher etlichen sämtliche sämtlicher sämtlichen beider beides
  dasjenige denjenigen desjenigen demjenigen jegliche jeglicher jeglichen jeweils jeweilige jeweiligen jeweiliger solch
  irgendein irgendeine irgendeiner irgendeinem irgendeinen irgendwelche irgendwelcher irgendwelchen irgendwie irgendwo irgendwann
  irgendwas irgendetwas irgendjemand
  anhand mithilfe mittels bezüglich hinsichtlich aufgrund anstatt anstelle innerhalb außerhalb oberhalb unterhalb trotz laut zwecks
  samt nebst entlang gemäß infolge zufolge angesichts seitens
  sogar ansonsten ebenfalls genauso somit folglich zudem überdies ferner desweiteren beispielsweise ungefähr meist meistens manchmal
  niemals stets nochmals einst soeben könnten müsste müssten möchten
`
  .trim()
  .split(/\s+/u);
