/** Commands from docs/how-to/connect-*.md that start the server with a model. */
interface ModelProvider {
  name: string;
  /** Command that starts the model's own server. */
  setup?: string;
  settings: readonly string[];
}

export const modelProviders: readonly ModelProvider[] = [
  { name: "OpenAI", settings: ["OPENAI_API_KEY=sk-…", "RECOLLECT_CHAT_MODEL=gpt-5-mini"] },
  {
    name: "Gemini",
    settings: [
      "OPENAI_BASE_URL=https://generativelanguage.googleapis.com/v1beta/openai",
      "OPENAI_API_KEY=AIza…",
      "RECOLLECT_CHAT_MODEL=gemini-3.5-flash",
      "RECOLLECT_CONTEXT_WINDOW=1000000",
    ],
  },
  {
    name: "Ollama",
    setup: "OLLAMA_CONTEXT_LENGTH=16384 ollama serve",
    settings: [
      "OPENAI_BASE_URL=http://localhost:11434/v1",
      "RECOLLECT_CHAT_MODEL=qwen3",
      "RECOLLECT_CONTEXT_WINDOW=16384",
      "RECOLLECT_ANSWER_TOKENS=2048",
    ],
  },
];

export function startCommand({ settings }: ModelProvider): string {
  return [...settings, "make serve"].join(" \\\n  ");
}
