"""Days as they are written in prompts."""

from datetime import date, datetime

MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
)  # fmt: skip
WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")


def format_day(day: date | datetime) -> str:
    """Return a day in words, such as "12 March 2024", the same in every locale."""
    return f"{day.day} {MONTHS[day.month - 1]} {day.year}"


def mentions_day(text: str, day: date | datetime) -> bool:
    """Return whether a text names this day, in one of the usual ways to write it in English."""
    month = MONTHS[day.month - 1]
    forms = (
        f"{day:%Y-%m-%d}",
        f"{day.day} {month} {day.year}",
        f"{month} {day.day}, {day.year}",
        f"{month[:3]} {day.day}, {day.year}",
        f"{day.day} {month[:3]} {day.year}",
    )
    return any(form in text for form in forms)
