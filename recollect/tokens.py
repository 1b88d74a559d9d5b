"""Estimates how many tokens a text will cost, without a tokenizer.

Latin text runs at about four characters to a token; scripts written without spaces, and emoji,
cost about one token a character; other alphabets lie between.
"""

_DENSE_FROM = 0x2E80  # CJK radicals, and everything above: kana, Hangul, emoji


def count(text: str) -> int:
    if text.isascii():
        return (len(text) + 3) // 4
    dense = sum(character >= chr(_DENSE_FROM) for character in text)
    plain = sum(character < "\x80" for character in text)
    alphabetic = len(text) - dense - plain
    return dense + (alphabetic + 1) // 2 + (plain + 3) // 4
