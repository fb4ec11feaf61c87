"""The words of the translation grammar as tables; :mod:`contextbook.datasets.lexicon` reads them.

Japanese is cut into tokens as SudachiPy cuts it in mode A (出 会い まし た), each written
``surface:reading``. A ``*`` marks the words that the small vocabulary keeps.
"""

# names | japanese | gender
NAMES = """
*ken | ケン:ken | male
taro | 太郎:tarou | male
*yuki | ユキ:yuki | female
mary | メアリー:mearii | female
"""

# people | japanese | gender | adjectives | favourite verbs | favourite places.
# What a pair shares (king, queen) and other pairs do not is what an analogy can be learned from.
PEOPLE = """
*king | 王:ou | male | famous clever strong kind | reads helps | castle
*queen | 女王:joou | female | famous clever strong kind | reads helps | castle
prince | 王子:ouji | male | young beautiful brave famous | chases finds | forest
princess | 王女:oujo | female | young beautiful brave famous | chases finds | forest
man | 男性:dansei | male | young quiet brave strong | buys loses | town
woman | 女性:josei | female | young quiet brave strong | buys loses | town
*boy | 少年:shounen | male | small clever quiet brave | runs eats | park
*girl | 少女:shoujo | female | small clever quiet brave | runs eats | park
father | 父親:chichioya | male | kind quiet young strong | writes sleeps | garden
mother | 母親:hahaoya | female | kind quiet young strong | writes sleeps | garden
teacher | 先生:sensei | | kind clever famous quiet young | |
doctor | 医者:isha | | kind clever famous quiet | |
"""

ANIMALS = """
*dog | 犬:inu | clever brave big small young white black
*cat | 猫:neko | clever quiet big small young white black
*bird | 鳥:tori | beautiful small white black blue red
horse | 馬:uma | beautiful strong big young white black
rabbit | うさぎ:usagi | quiet small young white black
fox | 狐:kitsune | clever beautiful small young white
bear | 熊:kuma | strong quiet big young white black
"""

THINGS = """
*book | 本:hon | famous big small old new red blue white black
*letter | 手紙:tegami | beautiful small old new white blue
map | 地図:chizu | famous big small old new
*apple | りんご:ringo | beautiful big small red
cake | ケーキ:keeki | beautiful big small white
egg | 卵:tamago | big small white
hat | 帽子:boushi | beautiful big small old new red blue white black
*ring | 指輪:yubiwa | beautiful famous small old new
key | 鍵:kagi | big small old new black
flower | 花:hana | beautiful big small red blue white
picture | 絵:e | beautiful famous big small old new
box | 箱:hako | beautiful big small old new red blue white black
"""

PLACES = """
*park | 公園:kouen | quiet beautiful big small old new
school | 学校:gakkou | quiet famous big small old new
*garden | 庭:niwa | quiet beautiful big small old
forest | 森:mori | quiet beautiful big small old
town | 町:machi | quiet beautiful famous big small old new
*castle | 城:shiro | quiet beautiful famous big small old white
"""

ADJECTIVES = """
kind | 優しい:yasashii | 0
*clever | 賢い:kashikoi | 0
famous | 有名:yuumei な:na | 0
*quiet | 静か:shizuka な:na | 0
beautiful | 美しい:utsukushii | 0
brave | 勇敢:yuukan な:na | 0
strong | 強い:tsuyoi | 0
*big | 大きな:ookina | 1
*small | 小さな:chiisana | 1
young | 若い:wakai | 2
*old | 古い:furui | 2
new | 新しい:atarashii | 2
*red | 赤い:akai | 3
blue | 青い:aoi | 3
*white | 白い:shiroi | 3
black | 黒い:kuroi | 3
"""

# present past progressive | root, ending | particle | objects | flags
VERBS = """
*sees saw | 見:mi る1 | を | person animal thing | animal once
*meets met | 出:de 会:a う | と | person animal | animal once
*finds found | 見つけ:mitsuke る1 | を | person animal thing | animal once
helps helped | 助け:tasuke る1 | を | person animal |
*chases chased | 追:o う | を | person animal | animal
*reads read reading | 読:yo む | を | book letter map | quiet
writes wrote writing | 書:ka く | を | book letter | quiet
buys bought | 買:ka う | を | thing |
loses lost | なく:naku す | を | book letter map hat ring key picture box | once
eats ate | 食べ:tabe る1 | を | apple cake egg | animal quiet
paints painted | 描:ega く | を | person animal flower picture | quiet
*walks walked walking | 歩:aru く | を | | animal quiet
runs ran running | 走:hashi る | を | | animal
*sleeps slept sleeping | 眠:nemu る | で | | animal quiet
sings sang singing | 歌:uta う | で | | quiet
"""

ADVERBS = """
*yesterday | 昨日:kinou | opens past
today | 今日:kyou | opens
suddenly | 突然:totsuzen | opens past
*often | よく:yoku |
always | いつ:itsu も:mo |
quietly | 静か:shizuka に:ni |
"""

# japanese | reading | gloss of the words that only hold a sentence together
FUNCTION = """
は wa (topic)
が ga (subject)
を o (object)
と to with;when
で de in
に ni in;at
の no of
な na (adjective)
て te -ing
で de -ing
た ta (past)
だ da (past)
まし mashi (polite)
ます masu (polite)
いる iru be
い i be
あり ari be
この kono this
その sono that
自分 jibun self
間 aida while
、 , (comma)
。 . (full stop)
"""

# ending: the kana before ます and before て, with their readings; then whether て is voiced
ENDINGS = {
    "く": ("ku", "き", "ki", "い", "i", False),
    "す": ("su", "し", "shi", "し", "shi", False),
    "う": ("u", "い", "i", "っ", "t", False),
    "る": ("ru", "り", "ri", "っ", "t", False),
    "む": ("mu", "み", "mi", "ん", "n", True),
    "る1": ("ru", "", "", "", "", False),  # one-row verbs: 見る, 見ます, 見て
}

# English words that only hold a sentence together, by class
SMALL_WORDS = {
    "determiner": "a an the this that his her",
    "pronoun": "he she it there",
    "auxiliary": "is was",
    "relative": "who whom which",
    "conjunction": "and but as while",
    "particle": "in along",
    "punctuation": ", .",
}
