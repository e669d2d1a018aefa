const split = (words: string): readonly string[] => words.trim().split(/\s+/u);

/**
 * Words that the lists of the package lack in some languages, by the code of the language: articles, pronouns, prepositions,
 * conjunctions, auxiliaries, modal verbs and adverbs that join or weaken sentences. Compiled for this library from the closed word
 * classes of each grammar.
 */
export const MORE_STOP_WORDS: ReadonlyMap<string, readonly string[]> = new Map([
  [
    "el",
    split(`
    το οι τα του της των τον την τη τους τις στο στη στην στον στα στις στους ένας μια μία ένα έναν μιας ενός και κι είτε ούτε αλλά όμως
    ωστόσο ενώ αν εάν όταν όπως όπου ότι πως που γιατί επειδή ώστε καθώς μέχρι πριν μετά από για με χωρίς δίχως προς κατά παρά αντί υπό
    υπέρ σε ως σαν να θα ας μη μην δε δεν όχι ναι είναι είμαι είσαι είμαστε είστε ήταν ήμουν είχε είχαν έχει έχουν έχω έχετε έχουμε πρέπει
    μπορεί μπορείτε μπορούν μπορώ μπορούμε εγώ εσύ αυτός αυτή αυτό αυτοί αυτές αυτά αυτού αυτής αυτών αυτόν αυτήν εμείς εσείς εμένα εσένα
    μας σας μου σου εκείνος εκείνη εκείνο εκείνοι εκείνες εκείνα τέτοιος τέτοια τέτοιο ποιος ποια ποιο ποιοι ποιες τι όποιος όποια όποιο
    όσο όσοι όσα όλα όλοι όλες όλη όλο όλων κάθε κάποιος κάποια κάποιο κάποιοι κάποιες κανένας καμία κανένα άλλος άλλη άλλο άλλοι άλλες
    άλλα πολύ πιο μόνο ήδη ακόμα ακόμη τώρα τότε εδώ εκεί έτσι επίσης ίδιος ίδια ίδιο μέσα έξω πάνω κάτω κοντά μεταξύ
  `),
  ],
  [
    "es",
    split(`
    al ante aquel aquella aquellas aquello aquellos aquí así aun aunque bajo bien cada casi como cómo con contra cual cuál cuales cuando
    cuándo cuanto de del desde donde dónde dos durante él ella ellas ellos en entonces entre era eran eras es esa esas ese eso esos esta
    está estaba estaban están estar estas este esto estos estoy fue fueron fui fuera ha había habían haber haya hace hacer hacia han hasta
    hay he incluso la las le les lo los luego más me menos mi mí mía mientras mío mis misma mismas mismo mismos mucha muchas mucho muchos
    muy nada ni ninguna ninguno ningún no nos nosotras nosotros nuestra nuestras nuestro nuestros nunca os otra otras otro otros para pero
    poco por porque pues puede pueden podría puedo que qué quien quién quienes se sea sean ser será serán si sí siempre sido siendo sin
    sino so son soy su sus suya suyo también tampoco tan tanto te tenía tener tengo ti tiene tienen toda todas todavía todo todos tras tu
    tú tus tuya tuyo una unas uno unos usted ustedes va vosotras vosotros vuestra vuestro ya yo debe deben debería algo alguien algún
    alguna algunas alguno algunos además
  `),
  ],
  [
    "fi",
    split(`
    olla olen olet on olemme olette ovat oli olivat ollut olleet olisi olisivat ole ei en et emme ette eivät minä minun minua minut sinä
    sinun sinua sinut hän hänen häntä hänet me meidän meitä te teidän teitä he heidän heitä tämä tämän tätä tässä tästä tähän tällä tältä
    tälle nämä näiden näitä näissä näistä näihin se sen sitä siinä siitä siihen sillä siltä sille ne niiden niitä niissä niistä niihin tuo
    tuon tuota nuo noiden joka jonka jota jossa josta johon jolla jolle jotka joiden joita joissa joista kuka kenen ketä mikä minkä mitä
    missä mistä mihin millä mitkä joku jotkut jokin jonkin jotain kukaan mikään mitään kaikki kaikkien muu muut muita itse ja sekä tai vai
    mutta vaan että jotta jos kun kuin koska vaikka eli joko myös vielä jo vain nyt sitten kanssa ilman ennen jälkeen mukaan välillä voi
    voit voivat voisi pitää täytyy tulee saa niin hyvin enemmän alla
  `),
  ],
  [
    "fr",
    split(`
    doit doivent peut peuvent pourrait faut avait avaient était étaient sera seront serait soit soient fut aussi ainsi alors après avant
    chez comme dont donc encore entre lors lorsque où parce pendant plus moins puis quand quel quelle quelles quels quelque quelques sans
    sous toujours tous tout toute toutes très trop vers voici voilà aucun aucune autre autres chaque celui celle celles ceux cela ceci
  `),
  ],
  [
    "it",
    split(`
    essere stato stata stati state sono era erano sia siano sarà saranno sarebbe avere ha hanno aveva avevano abbia deve devono dovrebbe
    può possono potrebbe viene vengono fare fatto anche ancora già solo così quando dove come mentre perché poiché se oppure invece quindi
    però dunque infatti inoltre ogni ognuno qualche qualcuno alcuni alcune nessun nessuna nessuno altro altra altri altre stesso stessa
    stessi stesse molto molta molti molte poco poca pochi poche troppo tutto tutta tutti tutte quale quali questo questa questi queste
    quello quella quelli quelle qui qua lì là ora poi prima dopo sempre mai più meno senza verso dentro fuori sopra sotto
  `),
  ],
  [
    "nl",
    split(`
    aan al alle alles als andere anders ben bent bij daar daarna dan dat de den der deze die dit doen door dus een elk elke en er ergens
    geen haar had hadden heb hebben hebt heeft hem hen het hier hij hoe hun iedere ieder iemand iets ik in is ja je jij jou jouw jullie
    kan kunnen kunt kon konden maar mag me meer men met mij mijn moet moeten moest na naar niet niets nog nu of om omdat onder ons onze
    ook op over pas reeds te tegen toch toen tot tussen uit uw van vanaf veel voor waar waren was wat wel welke wij wil willen worden
    wordt werd werden zal ze zelf zich zij zijn zo zonder zou zouden zullen
  `),
  ],
  [
    "pt",
    split(`
    ser és são era eram foi foram fui sido sendo será serão seria seja sejam fosse estar está estão estava estavam esteja estou ter tem
    têm tinha tinham teve tenha tenho haver há havia pode podem poderá poderia deve devem deverá deveria fazer faz feito vai vão ir ao aos
    às ante após até com como contra da das de dela delas dele deles depois desde dessa desse desta deste disso disto do dos ela elas ele
    eles em enquanto entre essa essas esse esses esta estas este estes eu isso isto já lhe lhes mais mas me menos mesma mesmo meu meus
    minha minhas muita muitas muito muitos na nas nem nenhum nenhuma no nos nós nossa nossas nosso nossos num numa não os onde ou outra
    outras outro outros para pela pelas pelo pelos perante por porque porém qual quais qualquer quando quanto que quem se sem sempre seu
    seus si sob sobre sua suas só também tanto te teu tua tudo toda todas todo todos um uma umas uns você vocês vos ainda apenas aquela
    aquelas aquele aqueles aquilo aqui assim bem cada algum alguma alguns algumas nada ninguém então logo pois
  `),
  ],
]);
