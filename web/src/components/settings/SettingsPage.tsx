import type { Me } from "../../api/types";
import { PageLayout } from "../layout/PageLayout";
import { AccountSection } from "./AccountSection";
import { AppearanceSection } from "./AppearanceSection";
import { DataSection } from "./DataSection";
import { KeysSection } from "./KeysSection";
import { ModelsSection } from "./ModelsSection";
import { useSettingsTexts } from "./texts";

export default function SettingsPage({ me }: { me: Me }) {
  const texts = useSettingsTexts();
  return (
    <PageLayout title={texts.title} subtitle={texts.subtitle}>
      <AppearanceSection />
      <ModelsSection />
      <AccountSection me={me} />
      {me.is_admin && <KeysSection me={me} />}
      <DataSection me={me} />
    </PageLayout>
  );
}
