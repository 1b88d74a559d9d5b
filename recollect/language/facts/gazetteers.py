"""Lists of known things: those of all languages, and names that are the same in every language."""

from collections.abc import Mapping
from functools import cache

from recollect.language.patterns import split_phrases, words
from recollect.language.registry import Language, fact_languages, merged

CODE = words(
    """
    python rust go golang java javascript typescript kotlin swift ruby php perl scala haskell
    elixir erlang clojure lua r julia c c++ c# f# fortran cobol dart sql bash zig ocaml nim matlab
    html css
    """
)
TOOLS = CODE | words(
    """
    vim neovim nvim emacs vscode linux ubuntu debian fedora arch mint windows macos mac iphone
    android ios docker kubernetes git github gitlab postgres postgresql mysql mariadb sqlite redis
    mongodb excel notion obsidian figma photoshop illustrator blender chrome firefox safari brave
    slack zoom teams trello jira tmux zsh fish react vue svelte angular django flask fastapi rails
    laravel spring node nodejs node.js pytorch tensorflow pandas numpy jupyter latex word
    powerpoint gmail outlook wordpress shopify aws azure gcp terraform ansible jenkins nginx
    pycharm intellij sublime nano todoist evernote canva lightroom unity unreal godot nextjs
    next.js tailwind
    """
)


@cache
def gazetteer() -> Mapping[str, frozenset[str]]:
    """The lists of all languages by name."""
    lists = merged("facts.gazetteer")
    return {
        **{name: words(entries) for name, entries in lists.items()},
        "ailments": frozenset(split_phrases(lists["ailments"])),
    }


def people_of(language: Language) -> dict[str, str]:
    """The subject of facts about a person or an animal, for each word of the language. It is the
    English word, so that "mia sorella" and "my sister" are the same person."""
    people = language["facts.people"]
    return {word: subject for subject in people for word in split_phrases(people[subject])}


@cache
def all_people() -> Mapping[str, str]:
    return {word: s for language in fact_languages() for word, s in people_of(language).items()}
