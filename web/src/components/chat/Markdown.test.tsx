// @vitest-environment happy-dom
import { cleanup, render } from "@testing-library/react";
import { afterEach, describe, expect, it } from "vitest";
import { Markdown } from "./Markdown";

afterEach(cleanup);

/** Renders a text and marks the part between brackets. */
function markedParts(bracketed: string): string[] {
  const start = bracketed.indexOf("⟦");
  const end = bracketed.indexOf("⟧") - 1;
  const text = bracketed.replace(/[⟦⟧]/g, "");
  const { container } = render(<Markdown text={text} marked={{ start, end }} />);
  return [...container.querySelectorAll("mark")].map((mark) => mark.textContent);
}

describe("a marked range of Markdown", () => {
  it("is marked across elements", () => {
    expect(markedParts("Take ⟦the **tram** to⟧ Belém.")).toEqual(["the ", "tram", " to"]);
    expect(markedParts("# Trams\n\n- number 12\n- ⟦number 28\n- the lift⟧\n")).toEqual(["number 28", "the lift"]);
    expect(markedParts("| line | to |\n| --- | --- |\n| ⟦28 | Graça⟧ |\n")).toEqual(["28", "Graça"]);
  });

  it("is marked within code", () => {
    expect(markedParts("Run `make ⟦serve⟧` now.")).toEqual(["serve"]);
    expect(markedParts("```py\nfirst()\n⟦second()⟧\n```\n\nDone.")).toEqual(["second()"]);
    expect(markedParts("⟦```py\nfirst()\n```⟧\n\nDone.")).toEqual(["first()\n"]);
  });

  it("covers a text with escapes to its end", () => {
    expect(markedParts("Pay ⟦5 \\* 3 euros.⟧\n\nLater.")).toEqual(["5 * 3 euros."]);
  });

  it("leaves the rest as it is", () => {
    expect(markedParts("One. ⟦⟧Two.")).toEqual([]);
    expect(render(<Markdown text="One." />).container.querySelector("mark")).toBeNull();
  });
});
