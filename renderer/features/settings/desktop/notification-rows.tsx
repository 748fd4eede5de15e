import { useBridge } from '../../../api/bridge.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { Switch } from '../../../ui/controls/switch.tsx';
import { SettingRow, SettingSection } from '../setting-row.tsx';
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
      <SettingRow label="A long run has finished" help="One that took at least so many minutes.">
        <div className={styles.keyCell}>
          <input
            type="number"
            className={styles.input}
            aria-label="Minutes of a long run"
            min={1}
            max={10_080}
            value={notifications.longRunMinutes}
            disabled={!notifications.longRun}
            onChange={({ target }) => {
              const longRunMinutes = target.valueAsNumber;
              if (Number.isInteger(longRunMinutes) && longRunMinutes >= 1 && longRunMinutes <= 10_080)
                change({ notifications: { longRunMinutes } });
            }}
          />
          <Switch
            label="A long run has finished"
            isLabelHidden
            isSelected={notifications.longRun}
            onChange={(longRun) => change({ notifications: { longRun } })}
          />
        </div>
      </SettingRow>
      <QuietRows settings={settings} change={change} />
    </SettingSection>
  );
}
