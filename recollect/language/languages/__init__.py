"""The natural languages, one module or package each. See docs/how-to/add-a-language.md."""
