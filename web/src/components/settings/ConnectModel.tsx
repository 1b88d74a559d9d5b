import { useTexts } from "../../texts/texts";
import { modelTexts } from "./modelTexts";
import { Shell } from "./Shell";

const commands = [
  { name: "OpenAI", lines: ["OPENAI_API_KEY=…", "RECOLLECT_CHAT_MODEL=gpt-5-mini"] },
  {
    name: "Gemini",
    lines: [
      "OPENAI_BASE_URL=https://generativelanguage.googleapis.com/v1beta/openai/",
      "OPENAI_API_KEY=…",
      "RECOLLECT_CHAT_MODEL=gemini-3.7-flash",
    ],
  },
  {
    name: "Ollama",
    lines: [
      "OPENAI_BASE_URL=http://127.0.0.1:11434/v1",
      "OPENAI_API_KEY=ollama",
      "RECOLLECT_CHAT_MODEL=qwen3",
    ],
  },
];

/** The commands that start the server with a model of one's own. */
export function ConnectModel() {
  const texts = useTexts(modelTexts);
  return (
    <div className="connect">
      <p>{texts.connectHint}</p>
      {commands.map(({ name, lines }) => (
        <div key={name}>
          <h3>{name}</h3>
          <Shell text={[...lines, "make serve"].join(" \\\n  ")} label={texts.command(name)} />
        </div>
      ))}
    </div>
  );
}
