import { expect, it } from "vitest";
import gemini from "../../../../docs/how-to/connect-gemini.md?raw";
import ollama from "../../../../docs/how-to/connect-ollama.md?raw";
import openai from "../../../../docs/how-to/connect-openai.md?raw";
import { commandOf, connections } from "./connections";

const pages: Record<string, string> = { OpenAI: openai, Gemini: gemini, Ollama: ollama };
const onOneLine = (text: string) => text.replace(/[\s\\]+/g, " ");

it.each(connections)("tells the same as the documentation: $name", (connection) => {
  const page = onOneLine(pages[connection.name]!);
  expect(page).toContain(onOneLine(commandOf(connection)));
  expect(page).toContain(connection.before ?? "");
});
