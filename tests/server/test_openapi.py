"""What the web app's types are made from is what the server says."""

from tests.server.write_openapi import FILE, description


def test_the_web_app_knows_the_api_as_it_is() -> None:
    is_current = FILE.read_text(encoding="utf-8") == description()
    assert is_current, "web/openapi.json is not what the server says: run `make openapi`."
