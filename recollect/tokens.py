"""Estimates how many tokens a text will cost, without a tokenizer.

Latin text runs at about four characters to a token; scripts written without spaces, and emoji,
cost about one token a character; other alphabets lie between. How many bytes a character takes in
UTF-8 tells these apart, and lengths are all that has to be looked at.
"""


def count(text: str) -> int:
    if text.isascii():
        return (len(text) + 3) // 4
    latin = len(text.encode("ascii", "ignore"))
    emoji = len(text.encode("utf-16-le")) // 2 - len(text)  # and whatever else needs four bytes
    rest = len(text) - latin - emoji
    dense = len(text.encode()) - latin - 4 * emoji - 2 * rest  # three bytes instead of two
    return emoji + dense + (rest - dense + 1) // 2 + (latin + 3) // 4
