import { RotateCcw } from 'lucide-react';
import { useOfferActions } from '../../app/actions.ts';
import { resetKeys } from '../../app/keys/bindings.ts';
import {
  preferenceChoices,
  setPreferences,
  usePreferences,
  type Preferences,
} from '../../app/preferences.ts';
import { Segmented } from '../../ui/controls/segmented.tsx';
import { Page } from '../../ui/layout/page.tsx';
import { DesktopSection } from './desktop/desktop-section.tsx';
import { KeySettings } from './key-settings.tsx';
import { SettingRow, SettingSection } from './setting-row.tsx';
import styles from './settings.module.css';
import { SystemSection } from './system/system-section.tsx';
import { TimeSettings } from './time-settings.tsx';

type Name = keyof typeof preferenceChoices;

const words = {
  theme: { system: 'As the system', light: 'Light', dark: 'Dark' },
  density: { comfortable: 'Comfortable', compact: 'Compact' },
  motion: { system: 'As the system', reduced: 'Reduced' },
  quotes: { on: 'Shown', off: 'Hidden' },
  logWrap: { off: 'Cut off', on: 'Wrapped' },
  logTimes: { none: 'Hidden', relative: 'Since the start', absolute: 'Time of day' },
} as const satisfies { readonly [Key in Name]?: Readonly<Record<Preferences[Key], string>> };

/** What everybody chooses for their own screen. */
export function SettingsPage() {
  useOfferActions([
    { id: 'keys', title: 'Give all keys their defaults back', icon: RotateCcw, run: () => resetKeys() },
  ]);
  return (
    <Page
      title="Settings"
      below={<p className={styles.lead}>These are yours alone, and stay on this machine.</p>}
    >
      <div className={styles.scroll}>
        <div className={styles.sections}>
          <SettingSection title="Appearance">
            <Choice name="theme" label="Theme" />
            <Choice name="density" label="Density" help="How much room rows and controls take." />
            <Choice name="motion" label="Motion" help="Reduced stops everything that moves by itself." />
            <Choice
              name="quotes"
              label="Quotes on idle pages"
              help="A line about the Dispatcher where nothing goes on."
            />
          </SettingSection>
          <TimeSettings />
          <SettingSection title="Logs">
            <Choice name="logWrap" label="Long lines" help="How a log shows them at first." />
            <Choice name="logTimes" label="Times of lines" />
          </SettingSection>
          <DesktopSection />
          <SystemSection />
          <KeySettings />
        </div>
      </div>
    </Page>
  );
}

interface ChoiceProps {
  readonly name: keyof typeof words;
  readonly label: string;
  readonly help?: string;
}

function Choice({ name, label, help }: ChoiceProps) {
  const value: string = usePreferences((chosen) => chosen[name]);
  const texts: Readonly<Record<string, string>> = words[name];
  const choices = preferenceChoices[name].map((each: string) => ({
    value: each,
    label: texts[each] ?? each,
  }));
  return (
    <SettingRow label={label} help={help}>
      <Segmented
        label={label}
        value={value}
        choices={choices}
        onChange={(next) => setPreferences({ [name]: next })}
      />
    </SettingRow>
  );
}
