import { useTexts } from "../../texts/texts";
import { commandOf, connections } from "./connections";
import { modelTexts } from "./modelTexts";
import { Shell } from "./Shell";

/** The commands that start the server with a model of one's own. */
export function ConnectModel() {
  const texts = useTexts(modelTexts);
  return (
    <div className="connect">
      <p>{texts.connectHint}</p>
      {connections.map((connection) => (
        <div key={connection.name}>
          <h3>{connection.name}</h3>
          {connection.before && (
            <>
              <p className="hint">{texts.sameLength(connection.name)}</p>
              <Shell text={connection.before} label={texts.start(connection.name)} />
            </>
          )}
          <Shell text={commandOf(connection)} label={texts.command(connection.name)} />
        </div>
      ))}
    </div>
  );
}
