"""More nouns for the grammar's sentences, for those who have a GPU.

Each stands in for a noun of :mod:`contextbook.datasets.lexicon` that is used alike: an animal for
an animal, something to eat for something to eat. Japanese is cut as SudachiPy cuts it in mode A.
"""

from collections.abc import Callable

from contextbook.datasets.grammar import Pair

# nouns of the grammar | what may stand in their place, its Japanese tokens joined by +
_TABLE = """
ken taro | tom トム, peter ピーター, paul ポール, david デービッド, george ジョージ, jiro 次郎, \
saburo 三郎, ichiro 一郎, kenji 健二, robert ロバート
yuki mary | anna アンナ, alice アリス, emma エマ, kate ケイト, lucy ルーシー, nancy ナンシー, \
jane ジェーン, helen ヘレン, hanako 花子, naomi ナオミ
teacher doctor | student 学生, nurse 看護+師, lawyer 弁護+士, writer 作家, painter 画家, \
singer 歌手, farmer 農夫, pilot パイロット, dentist 歯科+医, scientist 科学+者, poet 詩人, \
sailor 船員, dancer ダンサー, judge 裁判+官, engineer エンジニア, artist 芸術+家
dog cat bird horse rabbit fox bear | wolf 狼, pig 豚, cow 牛, sheep 羊, goat ヤギ, mouse ネズミ, \
monkey 猿, lion ライオン, tiger 虎, elephant 象, deer 鹿, squirrel リス, chicken 鶏, frog カエル, \
turtle 亀, snake 蛇, crow カラス, panda パンダ, camel ラクダ, penguin ペンギン, swan 白鳥, \
zebra シマウマ, ox 雄牛, owl フクロウ
apple cake egg | peach 桃, pear 梨, orange オレンジ, banana バナナ, melon メロン, tomato トマト, \
potato ジャガイモ, carrot 人参, onion 玉葱, mushroom キノコ, sandwich サンドイッチ, \
cookie クッキー, pie パイ, lemon レモン, pumpkin カボチャ, bun パン
book letter map | novel 小説, poem 詩, diary 日記, magazine 雑誌, newspaper 新聞, \
dictionary 辞書, essay エッセー, menu メニュー, story 物語, contract 契約
hat ring key picture box flower | umbrella 傘, clock 時計, chair 椅子, table テーブル, \
lamp ランプ, bag 鞄, knife ナイフ, cup コップ, spoon スプーン, mirror 鏡, candle 蝋燭, \
pencil 鉛筆, camera カメラ, guitar ギター, violin バイオリン, piano ピアノ, doll 人形, \
shirt シャツ, boat ボート, bicycle 自転+車, drum 太鼓, ball ボール
park school garden forest town castle | village 村, library 図書+館, station 駅, market 市場, \
museum 美術+館, church 教会, hospital 病院, hotel ホテル, harbour 港, island 島, valley 谷, \
desert 砂漠, zoo 動物+園, temple 寺, kitchen 台所, office 事務+所, theatre 劇場, university 大学, \
factory 工場, farm 農場
"""


Noun = tuple[str, tuple[str, ...]]


def _read_table() -> dict[str, list[Noun]]:
    nouns: dict[str, list[Noun]] = {}
    for row in _TABLE.strip().split("\n"):
        replaced, replacing = row.split(" | ")
        entries = [entry.split() for entry in replacing.split(", ")]
        for noun in replaced.split():
            nouns[noun] = [(english, tuple(japanese.split("+"))) for english, japanese in entries]
    return nouns


MORE_NOUNS = _read_table()
"""For a noun of the grammar, what may stand in its place: English, and tokens of Japanese."""


def with_other_nouns(pair: Pair, random: Callable[[], float], share: float = 0.8) -> Pair:
    """The same sentence about something else.

    Args:
        pair: of the grammar.
        random: draws from 0 to 1, such as ``random.Random(seed).random``.
        share: of the nouns to be replaced, of those that can be.
    """
    english = list(pair.english)
    new: dict[int, tuple[str, ...]] = {}  # Japanese of the word at a place
    for place, word in enumerate(pair.english):
        if word in MORE_NOUNS and random() < share:
            choices = MORE_NOUNS[word]
            english[place], new[place] = choices[int(random() * len(choices))]
            if place and english[place - 1] in ("a", "an"):
                english[place - 1] = _article(english[place])
    japanese: list[str] = []
    alignment: list[int | None] = []
    for token, source in zip(pair.japanese, pair.alignment, strict=True):
        written = (token,) if source is None or source not in new else new[source]
        japanese += written
        alignment += [source] * len(written)
    return Pair(tuple(english), tuple(japanese), tuple(alignment))


def _article(noun: str) -> str:
    return "an" if noun[0] in "aeiou" and noun != "university" else "a"


def one_after_another(first: Pair, second: Pair) -> Pair:
    """Two sentences as one pair: English after English, Japanese after Japanese."""
    shift = len(first.english)
    moved = [None if source is None else source + shift for source in second.alignment]
    return Pair(
        first.english + second.english,
        first.japanese + second.japanese,
        (*first.alignment, *moved),
    )
