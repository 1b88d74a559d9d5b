import { expect, it } from "vitest";
import gemini from "../../../../docs/how-to/connect-gemini.md?raw";
import ollama from "../../../../docs/how-to/connect-ollama.md?raw";
import openai from "../../../../docs/how-to/connect-openai.md?raw";
import { startCommand, modelProviders } from "./modelProviders";

const pages: Record<string, string> = { OpenAI: openai, Gemini: gemini, Ollama: ollama };
const onOneLine = (text: string) => text.replace(/[\s\\]+/g, " ");

it.each(modelProviders)("matches the documentation: $name", (provider) => {
  const page = onOneLine(pages[provider.name]!);
  expect(page).toContain(onOneLine(startCommand(provider)));
  expect(page).toContain(provider.setup ?? "");
});
