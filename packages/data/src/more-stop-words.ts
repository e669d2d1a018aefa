const split = (words: string): readonly string[] => words.trim().split(/\s+/u);

/**
 * Words that the lists of the package lack in some languages, by the code of the language: articles, pronouns, prepositions,
 * conjunctions, auxiliaries, modal verbs and adverbs that join or weaken sentences. Compiled for this library from the closed word
 * classes of each grammar.
 */
export const MORE_STOP_WORDS: ReadonlyMap<string, readonly string[]> = new Map([
  [
    "ar",
    split(`
    يجب يمكن يمكنك يمكننا يمكنه يمكنها فقط أيضا أيضاً أيضًا إلا أخرى الأخرى آخر الآخر عادة عادةً لذلك لذا مثل مثلا مثلاً مثلًا جدا جداً
    جدًا أنه أنها أنهم أننا أنك لأن لأنه لأنها بأن بأنه كأن لكن لكنه لكنها غالبا غالباً غالبًا يكون تكون كون نكون كانت كانوا ليس ليست
    ليسوا نفس نفسه نفسها معظم بعض بعضها كل لكل كلا كلها جميع أي أية أثناء خلال بحيث حيث حين حينما عندما عند لدى منذ حتى ثم أو أم إما إذا
    إذ إن أن قد لقد سوف هل هذا هذه وهذا وهذه ذلك تلك هؤلاء هنا هناك هو هي هم نحن أنت أنا الذي التي الذين اللذان اللتان اللواتي ما ماذا
    متى أين كيف لماذا من عن على إلى في مع بين فوق تحت قبل بعد دون بدون ضمن عبر حول نحو غير سوى عدة عديد العديد كثير كثيرا كثيراً كثيرًا
    قليل أكثر أقل تماما تماماً تمامًا به بها لها له لهم منه منها فيه فيها عليه عليها إليه إليها عنه عنها كما لم لن لا فإن فإنه وإن وهو
    وهي ولكن ولا وقد كذلك بالتالي بل أحد إحدى
  `),
  ],
  [
    "cs",
    split(`
    tento tato toto této tohoto tomuto tomto tímto touto tuto těchto těmto těmito tyto tito ten ta to toho tomu tom tím té tu tou ti ty
    tě těch těm těmi který která které kterého kterému kterém kterým kterou kteří kterých kterými jenž jež jehož jejichž jejíž všechny
    všech všem všemi všichni všechno vše vším každý každá každé každého každém každou některý některá některé některých některým žádný
    žádná žádné jiný jiná jiné jiného jiných jiným jinými další dalšího dalších dalším můj moje mého tvůj náš naše naší našich váš vaše
    vaší vašich svůj své svého svých svým svou jeho její jejich jim jimi jich něj něm nich nim ním ní mohu může můžete můžeme mohou mohl
    mohla mohlo mohli musí musíte musíme muset měl měla mělo měli mají máte máme mám být bývá budou bude budete byl byla bylo byli byly
    jsou jste jsme jsem není nejsou velmi stejně stejný stejné stejného často obvykle mnoho například také takto takže tak tedy totiž
    proto protože pokud když kdyby aby ačkoli ačkoliv avšak však ale nebo ani buď než nejen jen jenom pouze právě již už ještě stále
    vždy nikdy někdy tehdy nyní teď zde tady tam kde kam odkud kdy jak jaký jaká jaké jako proč mezi přes pod nad před při pro bez během
    kolem kvůli podle včetně vůči zatímco zejména zvláště více méně nejvíce několik
  `),
  ],
  [
    "el",
    split(`
    το οι τα του της των τον την τη τους τις στο στη στην στον στα στις στους ένας μια μία ένα έναν μιας ενός και κι είτε ούτε αλλά όμως
    ωστόσο ενώ αν εάν όταν όπως όπου ότι πως που γιατί επειδή ώστε καθώς μέχρι πριν μετά από για με χωρίς δίχως προς κατά παρά αντί υπό
    υπέρ σε ως σαν να θα ας μη μην δε δεν όχι ναι είναι είμαι είσαι είμαστε είστε ήταν ήμουν είχε είχαν έχει έχουν έχω έχετε έχουμε
    πρέπει μπορεί μπορείτε μπορούν μπορώ μπορούμε εγώ εσύ αυτός αυτή αυτό αυτοί αυτές αυτά αυτού αυτής αυτών αυτόν αυτήν εμείς εσείς
    εμένα εσένα μας σας μου σου εκείνος εκείνη εκείνο εκείνοι εκείνες εκείνα τέτοιος τέτοια τέτοιο ποιος ποια ποιο ποιοι ποιες τι όποιος
    όποια όποιο όσο όσοι όσα όλα όλοι όλες όλη όλο όλων κάθε κάποιος κάποια κάποιο κάποιοι κάποιες κανένας καμία κανένα άλλος άλλη άλλο
    άλλοι άλλες άλλα πολύ πιο μόνο ήδη ακόμα ακόμη τώρα τότε εδώ εκεί έτσι επίσης ίδιος ίδια ίδιο μέσα έξω πάνω κάτω κοντά μεταξύ
  `),
  ],
  [
    "es",
    split(`
    al ante aquel aquella aquellas aquello aquellos aquí así aun aunque bajo bien cada casi como cómo con contra cual cuál cuales cuando
    cuándo cuanto de del desde donde dónde dos durante él ella ellas ellos en entonces entre era eran eras es esa esas ese eso esos esta
    está estaba estaban están estar estas este esto estos estoy fue fueron fui fuera ha había habían haber haya hace hacer hacia han
    hasta hay he incluso la las le les lo los luego más me menos mi mí mía mientras mío mis misma mismas mismo mismos mucha muchas mucho
    muchos muy nada ni ninguna ninguno ningún no nos nosotras nosotros nuestra nuestras nuestro nuestros nunca os otra otras otro otros
    para pero poco por porque pues puede pueden podría puedo que qué quien quién quienes se sea sean ser será serán si sí siempre sido
    siendo sin sino so son soy su sus suya suyo también tampoco tan tanto te tenía tener tengo ti tiene tienen toda todas todavía todo
    todos tras tu tú tus tuya tuyo una unas uno unos usted ustedes va vosotras vosotros vuestra vuestro ya yo debe deben debería algo
    alguien algún alguna algunas alguno algunos además
  `),
  ],
  [
    "fa",
    split(`
    یا هر ای باشد باشند باشید بود بودن بوده بودند است هستند هست نیست نیستند شد شده شدن شود شوند می نمی دارد دارند دارید داشته داشت داشتن
    دهد دهند دهید داد کند کنند کنید کرد کردن کرده کنیم تواند توانند توانید توانیم باید نباید خواهد خواهند گردد گردند گردید گیرد گیرند
    گرفته قرار تمام همه همین همان همچنین هم خود خودش نیز اما ولی اگر چون زیرا چرا چه چگونه کدام که تا با بی به در بر برای از را آن این
    آنها اینها ایشان ما شما من تو او تنها فقط بسیار بسیاری بیشتر کمتر خیلی برخی بعضی چند چندین دیگر دیگری دیگران سایر بین میان توسط
    درباره مورد طریق وسیله بدون جز هنگام هنگامی زمانی وقتی سپس بعد پس قبل پیش اکنون حال هنوز همیشه گاهی معمولا معمولاً اینکه چنین چنان
    هیچ یکی یک ها های هایی اند ام ایم اید شامل بلکه البته بنابراین
  `),
  ],
  [
    "fi",
    split(`
    olla olen olet on olemme olette ovat oli olivat ollut olleet olisi olisivat ole ei en et emme ette eivät minä minun minua minut sinä
    sinun sinua sinut hän hänen häntä hänet me meidän meitä te teidän teitä he heidän heitä tämä tämän tätä tässä tästä tähän tällä
    tältä tälle nämä näiden näitä näissä näistä näihin se sen sitä siinä siitä siihen sillä siltä sille ne niiden niitä niissä niistä
    niihin tuo tuon tuota nuo noiden joka jonka jota jossa josta johon jolla jolle jotka joiden joita joissa joista kuka kenen ketä mikä
    minkä mitä missä mistä mihin millä mitkä joku jotkut jokin jonkin jotain kukaan mikään mitään kaikki kaikkien muu muut muita itse ja
    sekä tai vai mutta vaan että jotta jos kun kuin koska vaikka eli joko myös vielä jo vain nyt sitten kanssa ilman ennen jälkeen
    mukaan välillä voi voit voivat voisi pitää täytyy tulee saa niin hyvin enemmän alla
  `),
  ],
  [
    "fr",
    split(`
    doit doivent peut peuvent pourrait faut avait avaient était étaient sera seront serait soit soient fut aussi ainsi alors après avant
    chez comme dont donc encore entre lors lorsque où parce pendant plus moins puis quand quel quelle quelles quels quelque quelques
    sans sous toujours tous tout toute toutes très trop vers voici voilà aucun aucune autre autres chaque celui celle celles ceux cela
    ceci si non bien plusieurs depuis également notamment souvent afin pourquoi enfin pourra pourront elles ils certains certaines
    parfois tels telle telles tel puisque tandis selon malgré jamais rien beaucoup peu mieux ici là ensuite toutefois cependant
    néanmoins lequel laquelle lesquels lesquelles auquel duquel
  `),
  ],
  [
    "it",
    split(`
    essere stato stata stati state sono era erano sia siano sarà saranno sarebbe avere ha hanno aveva avevano abbia deve devono dovrebbe
    può possono potrebbe viene vengono fare fatto anche ancora già solo così quando dove come mentre perché poiché se oppure invece
    quindi però dunque infatti inoltre ogni ognuno qualche qualcuno alcuni alcune nessun nessuna nessuno altro altra altri altre stesso
    stessa stessi stesse molto molta molti molte poco poca pochi poche troppo tutto tutta tutti tutte quale quali questo questa questi
    queste quello quella quelli quelle qui qua lì là ora poi prima dopo sempre mai più meno senza verso dentro fuori sopra sotto ciò cui
    durante tuttavia qualsiasi spesso maggior maggiore attraverso proprio propria propri cioè oltre tranne mediante circa appena nonché
    finché affinché qualunque chiunque ovunque ciascuno ciascuna
  `),
  ],
  [
    "ko",
    split(`
    있습니다 있는 있다 있고 있으며 없습니다 없는 없다 것은 것을 것이 것입니다 합니다 한다 하는 하고 하며 하지 했다 했습니다 됩니다 된다 되는 되어 되었습니다 입니다 이다 아닙니다 그리고 그러나 하지만 또는 또한 그래서 따라서 만약
    때문에 위해 위한 통해 대한 대해 같은 같이 다른 모든 어떤 이런 그런 매우 가장 이것은 그것은 우리 당신 여러분 에서 으로 에게 까지 부터
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
    "pl",
    split(`
    ten ta to tego temu tym tę tą te tych tymi ci który która które którego której któremu którym którą którzy których którymi taki taka
    takie takiego takich takim każdy każda każde każdego każdej każdym żaden żadna żadne inny inna inne innego innej innych innym innymi
    wszystko wszystkie wszystkich wszystkim wszyscy niektóre niektórych niektórzy kilka kilku wiele wielu większość mój moja moje nasz
    nasza nasze naszych twój wasz swój swoja swoje swojego swoich jego jej ich im nim nimi niej nich może można mogą możesz możemy mógł
    mogła mogły musi muszą musisz trzeba należy powinien powinna powinno powinny powinni był była było były będzie będą będziesz jest są
    być został została zostało zostały zostać jestem jesteś bardzo często zazwyczaj zwykle zawsze nigdy czasami tylko także też również
    ponadto jednak jednakże natomiast lecz ale albo lub oraz ani więc zatem dlatego ponieważ gdyż bo jeśli jeżeli gdy kiedy gdzie skąd
    dokąd jak jaki jaka jakie aby żeby choć chociaż mimo niż między pomiędzy poprzez przez przed przy pod nad bez dla dzięki podczas
    według wobec zamiast oprócz około już jeszcze teraz wtedy tutaj tam tak nie bardziej mniej najbardziej
  `),
  ],
  [
    "pt",
    split(`
    ser és são era eram foi foram fui sido sendo será serão seria seja sejam fosse estar está estão estava estavam esteja estou ter tem
    têm tinha tinham teve tenha tenho haver há havia pode podem poderá poderia deve devem deverá deveria fazer faz feito vai vão ir ao
    aos às ante após até com como contra da das de dela delas dele deles depois desde dessa desse desta deste disso disto do dos ela
    elas ele eles em enquanto entre essa essas esse esses esta estas este estes eu isso isto já lhe lhes mais mas me menos mesma mesmo
    meu meus minha minhas muita muitas muito muitos na nas nem nenhum nenhuma no nos nós nossa nossas nosso nossos num numa não os onde
    ou outra outras outro outros para pela pelas pelo pelos perante por porque porém qual quais qualquer quando quanto que quem se sem
    sempre seu seus si sob sobre sua suas só também tanto te teu tua tudo toda todas todo todos um uma umas uns você vocês vos ainda
    apenas aquela aquelas aquele aqueles aquilo aqui assim bem cada algum alguma alguns algumas nada ninguém então logo pois
  `),
  ],
  [
    "ru",
    split(`
    также тоже который которая которое которые которого которой которому которую которым которыми котором которых этот эта это эти этого
    этой этому этим этими этом эту этих тот та то те того той тому тем теми том ту тех такой такая такое такие такого таким такими таких
    такую весь вся всё все всего всей всем всеми всех всю каждый каждая каждое каждого каждой каждому каждым каждую другой другая другое
    другие другого другому других другим другими сам сама само сами самого самой самим самый самая самое самые самых самым некоторый
    некоторая некоторое некоторые некоторых некоторым любой любая любое любые любого любых любым иной иные несколько много многие многих
    мало свой своя своё свои своего своей своему своих своим своими свою мой моя моё мои наш наша наше наши нашего нашей наших ваш ваша
    ваше ваши вашего вашей ваших твой её его их неё него ней ним ними них нём могут может можете можем мог могла могли можно нельзя
    нужно надо необходимо должен должна должно должны следует приходится является являются являлся являлась имеет имеют имеется имеются
    будет будут будете быть был была было были бывает очень часто обычно иногда всегда никогда просто лишь только уже ещё ныне сейчас
    теперь тогда потом затем здесь там туда сюда где куда откуда когда как так что чтобы чего чему чем кто кого кому кем если хотя пока
    либо или однако поскольку поэтому потому причём притом например кроме вместо между перед через около после среди согласно благодаря
    помощью образом наиболее более менее почти вполне весьма довольно именно даже ведь один одна одно одни одного одной одному одним
    одну
  `),
  ],
  [
    "tr",
    split(`
    aynı yalnızca sadece ancak fakat ama lakin ile veya ya yahut hem ne ki çünkü eğer ise iken gibi kadar göre için üzere beri dolayı
    rağmen karşı önce sonra içinde üzerinde altında arasında hakkında tarafından birlikte ayrıca bazı birçok birkaç çoğu çok daha en
    fazla az biraz tüm bütün her hiç hiçbir tek bir bu şu bunu bunun buna bunda bundan bunlar bunları bunların şunu onu onun ona onda
    ondan onlar onları onların ben sen biz siz benim senin bizim sizin kendi kendisi kendine diğer başka böyle şöyle öyle nasıl neden
    niçin nerede hangi kim kimse şey genellikle genelde bazen hep hâlâ hala henüz artık zaten yine tekrar tam vb değil değildir var
    vardır yok yoktur olan olarak olacak olacaktır olabilir olduğu olduğunu olması olsa oldu olup eder ederek etmek eden edilir edilen
    edebilir yapılan
  `),
  ],
  [
    "vi",
    split(`
    thể trong nó hoặc khác chúng đến thường hơn nhất về tự tất đây đó để bạn bằng nào bao nhau gồm là và của các những một mỗi mọi này
    kia ấy không chưa chẳng đã đang sẽ được bị phải nên cần có cho với từ tại trên dưới giữa bởi vì do nếu thì mà nhưng còn cũng vẫn chỉ
    rất quá lắm khi lúc như vậy thế nữa rồi lại ra vào lên xuống qua tôi ta mình họ anh chị ông bà ai gì đâu sao theo cùng cả đều việc
    sự cái chiếc
  `),
  ],
]);
