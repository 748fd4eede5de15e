import { RotateCcw } from 'lucide-react';
import { Link, useLocation } from 'wouter';
import { useNow } from '../../base/clock.ts';
import {
  isTimeZone,
  preferenceOptions,
  setPreferences,
  usePreferences,
  type Preferences,
} from '../../base/preferences.ts';
import { formatFull } from '../../format/time.ts';
import { NativeSelect, Segmented } from '../../ui/choices.tsx';
import { getPageLabel, useRegisterActions } from '../../navigation/navigation-items.ts';
import { paths } from '../../navigation/address.ts';
import { resetKeys } from '../../navigation/key-bindings.ts';
import { Page, ScrollArea } from '../../ui/page.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { SettingRow, SettingSection, ZoneOptions } from './setting-row.tsx';
import { DesktopSection } from './desktop-settings.tsx';
import { InstallationSettings } from './installation-settings.tsx';
import { KeySettings } from './key-settings.tsx';
import styles from './settings.module.css';
import { SystemSection } from './system-settings.tsx';

const clockLabels = { '24': '24 hours', '12': '12 hours' } as const;
const timesLabels = { relative: '12 min ago', absolute: 'Date and time' } as const;

/** Time zone and time format of all views. */
function TimeSettings() {
  const { timeZone, clock, times } = usePreferences();
  const now = useNow();
  const systemZone = new Intl.DateTimeFormat().resolvedOptions().timeZone;
  return (
    <SettingSection title="Time">
      <SettingRow
        label="Time zone"
        help={
          <>
            Current time: <time>{formatFull(new Date(now).toISOString())}</time>
          </>
        }
      >
        <NativeSelect
          aria-label="Time zone"
          value={timeZone}
          onChange={({ target }) =>
            (target.value === 'local' || isTimeZone(target.value)) &&
            setPreferences({ timeZone: target.value })
          }
        >
          <option value="local">This machine ({systemZone})</option>
          <ZoneOptions />
        </NativeSelect>
      </SettingRow>
      <SettingRow label="Clock">
        <Segmented
          label="Clock"
          value={clock}
          choices={preferenceOptions.clock.map((value) => ({ value, label: clockLabels[value] }))}
          onChange={(next) => setPreferences({ clock: next })}
        />
      </SettingRow>
      <SettingRow label="Relative times" help="Hover for the exact time.">
        <Segmented
          label="Relative times"
          value={times}
          choices={preferenceOptions.times.map((value) => ({ value, label: timesLabels[value] }))}
          onChange={(next) => setPreferences({ times: next })}
        />
      </SettingRow>
    </SettingSection>
  );
}

type Name = keyof typeof preferenceOptions;

const words = {
  theme: { system: 'System', light: 'Light', dark: 'Dark' },
  density: { comfortable: 'Comfortable', compact: 'Compact' },
  motion: { system: 'System', reduced: 'Reduced' },
  quotes: { on: 'Shown', off: 'Hidden' },
  gateway: { auto: 'If used', on: 'Shown', off: 'Hidden' },
  logWrap: { off: 'Truncated', on: 'Wrapped' },
  logTimes: { none: 'Hidden', relative: 'Elapsed', absolute: 'Timestamp' },
} as const satisfies { readonly [Key in Name]?: Readonly<Record<Preferences[Key], string>> };

/** Personal settings of the user, and settings of the installation. */
export function SettingsPage() {
  const [location, go] = useLocation();
  useRegisterActions([
    { id: 'keys', title: 'Reset all keyboard shortcuts', icon: RotateCcw, run: () => resetKeys() },
  ]);
  return (
    <Page title={getPageLabel(paths.settings)}>
      <Tabs
        label="Settings"
        value={location === paths.installation ? 'installation' : 'personal'}
        onChange={(tab) => go(tab === 'installation' ? paths.installation : paths.settings)}
        tabs={[
          { id: 'personal', label: 'Personal', content: <PersonalSettings /> },
          { id: 'installation', label: 'Installation', content: <InstallationSettings /> },
        ]}
      />
    </Page>
  );
}

function PersonalSettings() {
  return (
    <ScrollArea className={styles.scroll} aria-label="Personal settings">
      <div className={styles.sections}>
        <p className={styles.lead}>Saved in this browser</p>
        <SettingSection title="Appearance">
          <Choice name="theme" label="Theme" />
          <Choice name="density" label="Density" help="Spacing of rows and controls." />
          <Choice name="motion" label="Motion" help="Reduced motion turns off animations." />
          <Choice
            name="quotes"
            label="Quotes on empty pages"
            help="Show a short quote on pages without activity."
          />
        </SettingSection>
        <SettingSection title="Navigation">
          <SettingRow
            label="Gateway"
            help={
              <>
                A REST API for PostgreSQL tables. <Link href={paths.gateway}>Open Gateway</Link>
              </>
            }
          >
            <ChoiceControl name="gateway" label="Gateway" />
          </SettingRow>
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
    </ScrollArea>
  );
}

interface ChoiceProps {
  readonly name: keyof typeof words;
  readonly label: string;
  readonly help?: string;
}

function Choice({ help, ...props }: ChoiceProps) {
  return (
    <SettingRow label={props.label} help={help}>
      <ChoiceControl {...props} />
    </SettingRow>
  );
}

function ChoiceControl({ name, label }: Omit<ChoiceProps, 'help'>) {
  const value: string = usePreferences((chosen) => chosen[name]);
  const texts: Readonly<Record<string, string>> = words[name];
  const choices = preferenceOptions[name].map((each: string) => ({
    value: each,
    label: texts[each] ?? each,
  }));
  return (
    <Segmented
      label={label}
      value={value}
      choices={choices}
      onChange={(next) => setPreferences({ [name]: next })}
    />
  );
}
