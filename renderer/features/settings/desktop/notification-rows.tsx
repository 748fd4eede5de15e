import { useBridge } from '../../../api/bridge.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { Switch } from '../../../ui/controls/switch.tsx';
import { SettingRow, SettingSection } from '../setting-row.tsx';
import { useTypedSetting } from '../use-typed-setting.ts';
import styles from '../settings.module.css';
import type { DesktopRows } from './desktop-section.tsx';
import { QuietRows } from './quiet-rows.tsx';

const kinds = [
  ['failure', 'A run has failed', undefined],
  ['recovery', 'A workflow works again', 'Its first success after a failure.'],
  ['approval', 'A run waits for your approval', 'A step of it asks whether to go on.'],
  ['waiting', 'A run waits for you', 'In a paused queue, or for a worker that there is none of.'],
] as const;

/** What the desktop app tells a person of, and when not. */
export function NotificationRows({ settings, change }: DesktopRows) {
  const { desktop } = useBridge();
  const { notifications } = settings;
  return (
    <SettingSection
      title="Notifications"
      action={
        <Button look="quiet" size="small" onPress={() => void desktop?.call('notifications.try', {})}>
          Show one
        </Button>
      }
    >
      {kinds.map(([kind, label, help]) => (
        <SettingRow key={kind} label={label} help={help}>
          <Switch
            label={label}
            isLabelHidden
            isSelected={notifications[kind]}
            onChange={(isOn) => change({ notifications: { [kind]: isOn } })}
          />
        </SettingRow>
      ))}
      <LongRunRow settings={settings} change={change} />
      <QuietRows settings={settings} change={change} />
    </SettingSection>
  );
}

/** Minutes of a week, the longest that counts. */
const mostMinutes = 10_080;

function LongRunRow({ settings: { notifications }, change }: DesktopRows) {
  const { fault, input } = useTypedSetting({
    value: String(notifications.longRunMinutes),
    check: (text) =>
      /^[1-9]\d{0,4}$/.test(text) && Number(text) <= mostMinutes
        ? undefined
        : `Write a whole number of minutes from 1 to ${mostMinutes}.`,
    onCommit: (text) => change({ notifications: { longRunMinutes: Number(text) } }),
  });
  return (
    <SettingRow label="A long run has finished" help="One that took at least so many minutes." fault={fault}>
      <div className={styles.keyCell}>
        <input
          className={styles.input}
          inputMode="numeric"
          size={6}
          aria-label="Minutes of a long run"
          disabled={!notifications.longRun}
          {...input}
        />
        <Switch
          label="A long run has finished"
          isLabelHidden
          isSelected={notifications.longRun}
          onChange={(longRun) => change({ notifications: { longRun } })}
        />
      </div>
    </SettingRow>
  );
}
