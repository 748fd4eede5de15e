import { useBridge } from '../../../api/bridge.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { Switch } from '../../../ui/controls/switch.tsx';
import { SettingRow, SettingSection } from '../setting-row.tsx';
import { useTypedSetting } from '../use-typed-setting.ts';
import styles from '../settings.module.css';
import type { DesktopRows } from './desktop-section.tsx';
import { QuietHoursRows } from './quiet-rows.tsx';

const kinds = [
  ['failure', 'Run failed', undefined],
  ['recovery', 'Workflow recovered', 'First success after a failure.'],
  ['approval', 'Approval required', 'A step is waiting for your approval.'],
  ['waiting', 'Run blocked', 'Waiting in a paused queue or for a missing worker.'],
] as const;

/** Which desktop notifications are shown, and when. */
export function NotificationRows({ settings, change }: DesktopRows) {
  const { desktop } = useBridge();
  const { notifications } = settings;
  return (
    <SettingSection
      title="Notifications"
      action={
        <Button variant="quiet" size="small" onPress={() => void desktop?.call('notifications.try', {})}>
          Send test notification
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
      <QuietHoursRows settings={settings} change={change} />
    </SettingSection>
  );
}

/** Minutes of a week, the maximum. */
const maxMinutes = 10_080;

function LongRunRow({ settings: { notifications }, change }: DesktopRows) {
  const { error, input } = useTypedSetting({
    value: String(notifications.longRunMinutes),
    check: (text) =>
      /^[1-9]\d{0,4}$/.test(text) && Number(text) <= maxMinutes
        ? undefined
        : `Enter a whole number from 1 to ${maxMinutes}.`,
    onCommit: (text) => change({ notifications: { longRunMinutes: Number(text) } }),
  });
  return (
    <SettingRow label="Long run finished" help="Minimum duration in minutes." error={error}>
      <div className={styles.keyCell}>
        <input
          className={styles.input}
          inputMode="numeric"
          size={6}
          aria-label="Minimum minutes"
          disabled={!notifications.longRun}
          {...input}
        />
        <Switch
          label="Long run finished"
          isLabelHidden
          isSelected={notifications.longRun}
          onChange={(longRun) => change({ notifications: { longRun } })}
        />
      </div>
    </SettingRow>
  );
}
