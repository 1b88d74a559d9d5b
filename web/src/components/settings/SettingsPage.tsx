import type { Me } from "../../api/types";
import { useTexts } from "../../texts/texts";
import { PageFrame } from "../frame/PageFrame";
import { Account } from "./Account";
import { Appearance } from "./Appearance";
import { Keys } from "./Keys";
import { Models } from "./Models";
import { texts as settingsTexts } from "./texts";
import { YourData } from "./YourData";

export default function SettingsPage({ me }: { me: Me }) {
  const texts = useTexts(settingsTexts);
  return (
    <PageFrame title={texts.title} lead={texts.lead}>
      <Appearance />
      <Models />
      <Account me={me} />
      {me.is_admin && <Keys me={me} />}
      <YourData me={me} />
    </PageFrame>
  );
}
