import { setPreferences, usePreferences, type Preferences } from "../../hooks/usePreferences";
import { languages, type Language } from "../../i18n/i18n";
import { RadioGroup } from "./RadioGroup";
import { SettingsSection } from "./SettingsSection";
import { useSettingsTexts } from "./texts";

const themes: readonly Preferences["theme"][] = ["system", "light", "dark"];
const AUTOMATIC = "automatic";

export function AppearanceSection() {
  const texts = useSettingsTexts();
  const { theme, language } = usePreferences();
  const languageNames = Object.entries(languages) as [Language, string][];

  return (
    <SettingsSection title={texts.appearance} hint={texts.appearanceHint}>
      <RadioGroup
        label={texts.theme}
        options={themes.map((value) => ({ value, label: texts.themes[value] }))}
        selected={theme}
        onSelect={(value) => setPreferences({ theme: value })}
      />
      <RadioGroup<Language | typeof AUTOMATIC>
        label={texts.language}
        options={[
          { value: AUTOMATIC, label: texts.languageAutomatic },
          ...languageNames.map(([value, label]) => ({ value, label, language: value })),
        ]}
        selected={language ?? AUTOMATIC}
        onSelect={(value) => setPreferences({ language: value === AUTOMATIC ? null : value })}
      />
    </SettingsSection>
  );
}
