import { setPreferences, usePreferences, type Preferences } from "../../hooks/usePreferences";
import { languages, useTexts, type Language } from "../../texts/texts";
import { Choices } from "./Choices";
import { Section } from "./Section";
import { texts as settingsTexts } from "./texts";

const themes: readonly Preferences["theme"][] = ["system", "light", "dark"];
const automatic = "automatic";

export function Appearance() {
  const texts = useTexts(settingsTexts);
  const { theme, language } = usePreferences();
  const spoken = Object.entries(languages) as [Language, string][];

  return (
    <Section title={texts.appearance} hint={texts.appearanceHint}>
      <Choices
        label={texts.theme}
        choices={themes.map((value) => ({ value, label: texts.themes[value] }))}
        selected={theme}
        onSelect={(value) => setPreferences({ theme: value })}
      />
      <Choices<Language | typeof automatic>
        label={texts.language}
        choices={[
          { value: automatic, label: texts.languageAutomatic },
          ...spoken.map(([value, label]) => ({ value, label, language: value })),
        ]}
        selected={language ?? automatic}
        onSelect={(value) => setPreferences({ language: value === automatic ? null : value })}
      />
    </Section>
  );
}
