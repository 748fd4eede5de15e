import { RotateCcw } from 'lucide-react';
import { useRegisterActions } from '../../app/actions.ts';
import { resetKeys } from '../../app/keys/bindings.ts';
import {
  preferenceOptions,
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

type Name = keyof typeof preferenceOptions;

const words = {
  theme: { system: 'System', light: 'Light', dark: 'Dark' },
  density: { comfortable: 'Comfortable', compact: 'Compact' },
  motion: { system: 'System', reduced: 'Reduced' },
  quotes: { on: 'Shown', off: 'Hidden' },
  logWrap: { off: 'Truncated', on: 'Wrapped' },
  logTimes: { none: 'Hidden', relative: 'Elapsed', absolute: 'Timestamp' },
} as const satisfies { readonly [Key in Name]?: Readonly<Record<Preferences[Key], string>> };

/** Personal settings of the user. */
export function SettingsPage() {
  useRegisterActions([
    { id: 'keys', title: 'Reset all keyboard shortcuts', icon: RotateCcw, run: () => resetKeys() },
  ]);
  return (
    <Page title="Settings" below={<p className={styles.lead}>Saved in this browser</p>}>
      <div className={styles.scroll}>
        <div className={styles.sections}>
          <SettingSection title="Appearance">
            <Choice name="theme" label="Theme" />
            <Choice name="density" label="Density" help="Spacing of rows and controls." />
            <Choice name="motion" label="Motion" help="Reduced turns off animations." />
            <Choice
              name="quotes"
              label="Quotes on empty pages"
              help="Show a short quote on pages without activity."
            />
          </SettingSection>
          <TimeSettings />
          <SettingSection title="Logs">
            <Choice name="logWrap" label="Long lines" help="Default for new log views." />
            <Choice name="logTimes" label="Line timestamps" />
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
  const choices = preferenceOptions[name].map((each: string) => ({
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
