import { usePreferences } from '../../../app/preferences.ts';
import { NativeSelect } from '../../../ui/controls/native-select.tsx';
import { Switch } from '../../../ui/controls/switch.tsx';
import { SettingRow } from '../setting-row.tsx';
import styles from '../settings.module.css';
import { ZoneOptions } from '../zone-options.tsx';
import type { DesktopRows } from './desktop-section.tsx';

/** Quiet hours and their time zone. */
export function QuietHoursRows({ settings, change }: DesktopRows) {
  const { quiet, quietFrom, quietTo, quietZone } = settings.notifications;
  const { timeZone } = usePreferences();
  const systemZone = timeZone === 'local' ? new Intl.DateTimeFormat().resolvedOptions().timeZone : timeZone;
  const time = (name: 'quietFrom' | 'quietTo', label: string, value: string) => (
    <input
      type="time"
      className={styles.input}
      aria-label={label}
      value={value}
      disabled={!quiet}
      onChange={({ target }) => target.value !== '' && change({ notifications: { [name]: target.value } })}
    />
  );
  return (
    <>
      <SettingRow
        label="Quiet hours"
        help={
          quietFrom > quietTo
            ? 'No notifications between these times (overnight).'
            : 'No notifications between these times.'
        }
      >
        <div className={styles.keyCell}>
          {time('quietFrom', 'Quiet hours from', quietFrom)}
          <span>to</span>
          {time('quietTo', 'Quiet hours until', quietTo)}
          <Switch
            label="Quiet hours"
            isLabelHidden
            isSelected={quiet}
            onChange={(isOn) => change({ notifications: { quiet: isOn } })}
          />
        </div>
      </SettingRow>
      <SettingRow label="Time zone of quiet hours">
        <NativeSelect
          aria-label="Time zone of quiet hours"
          value={quietZone}
          disabled={!quiet}
          onChange={({ target }) => change({ notifications: { quietZone: target.value } })}
        >
          <option value="">Same as display time zone ({systemZone.replaceAll('_', ' ')})</option>
          <ZoneOptions />
        </NativeSelect>
      </SettingRow>
    </>
  );
}
