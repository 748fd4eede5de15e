import { useNow } from '../../app/clock.ts';
import { isTimeZone, preferenceOptions, setPreferences, usePreferences } from '../../app/preferences.ts';
import { formatFull } from '../../format/time.ts';
import { NativeSelect } from '../../ui/controls/native-select.tsx';
import { Segmented } from '../../ui/controls/segmented.tsx';
import { SettingRow, SettingSection } from './setting-row.tsx';
import { ZoneOptions } from './zone-options.tsx';

const clockLabels = { '24': '24 hours', '12': '12 hours' } as const;
const timesLabels = { relative: '12 min ago', absolute: 'Date and time' } as const;

/** Time zone and time format of all views. */
export function TimeSettings() {
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
