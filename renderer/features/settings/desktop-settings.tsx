import { X } from 'lucide-react';
import type { WorkflowNotices, DesktopSettings } from '../../../core/contract/desktop-calls.ts';
import { usePreferences } from '../../base/preferences.ts';
import { NativeSelect, Switch, Select, Segmented } from '../../ui/choices.tsx';
import { useBridge } from '../../api/bridge.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { useDags } from '../../api/workflow-queries.ts';
import { useChangeDesktopSettings, useDesktopSettings } from './desktop-queries.ts';
import { SettingRow, ZoneOptions, SettingSection, useTypedSetting } from './setting-row.tsx';
import styles from './settings.module.css';

/** Quiet hours and their time zone. */
function QuietHoursRows({ settings, change }: DesktopRows) {
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

interface Named {
  readonly fileName: string;
  /** Name of the workflow, as in its runs. */
  readonly name: string;
}

const notices: readonly { readonly value: WorkflowNotices; readonly label: string }[] = [
  { value: 'all', label: 'All notifications' },
  { value: 'failures', label: 'Failures only' },
  { value: 'none', label: 'No notifications' },
];

/** Workflows with individual settings: their notifications, and whether the tray lists them first. */
function WorkflowRows({ settings, change }: DesktopRows) {
  const dags = useDags().data ?? [];
  const { workflows } = settings.notifications;
  const { favourites } = settings.tray;
  const isChosen = ({ fileName, name }: Named): boolean =>
    favourites.includes(fileName) || Object.hasOwn(workflows, name);
  const known = new Set(dags.flatMap(({ fileName, name }) => [fileName, name]));
  const missingFiles = [...new Set([...favourites, ...Object.keys(workflows)])].filter(
    (name) => !known.has(name),
  );
  const chosen: readonly Named[] = [
    ...dags.filter(isChosen),
    ...missingFiles.map((name) => ({ fileName: name, name })),
  ];
  const others = dags.filter((dag) => !isChosen(dag));
  return (
    <SettingSection title="Workflow preferences">
      {chosen.map((dag) => (
        <WorkflowRow key={dag.fileName} dag={dag} settings={settings} change={change} />
      ))}
      <SettingRow label="Add workflow" help="Add to tray favorites or change its notifications.">
        <NativeSelect
          aria-label="Add workflow"
          value=""
          onChange={({ target }) => change({ tray: { favourites: [...favourites, target.value] } })}
        >
          <option value="" disabled>
            Choose…
          </option>
          {others.map(({ fileName, name }) => (
            <option key={fileName} value={fileName}>
              {name}
            </option>
          ))}
        </NativeSelect>
      </SettingRow>
    </SettingSection>
  );
}

function WorkflowRow({ dag, settings, change }: DesktopRows & { readonly dag: Named }) {
  const { fileName, name } = dag;
  const { workflows } = settings.notifications;
  const { favourites } = settings.tray;
  const { [name]: mode = 'all', ...otherModes } = workflows;
  const others = favourites.filter((favourite) => favourite !== fileName);
  return (
    <SettingRow label={name}>
      <div className={styles.keyCell}>
        <Switch
          label="Favorite"
          isSelected={favourites.includes(fileName)}
          onChange={(isOn) =>
            change({
              tray: { favourites: isOn ? [...others, fileName] : others },
              // It stays in this list even if all of its settings are at their defaults.
              notifications: { workflows: { ...otherModes, [name]: mode } },
            })
          }
        />
        <Select
          label={`Notifications for ${name}`}
          value={mode}
          choices={notices}
          onChange={(value) => change({ notifications: { workflows: { ...otherModes, [name]: value } } })}
        />
        <IconButton
          label={`Remove preferences for ${name}`}
          icon={X}
          size="small"
          onPress={() => change({ tray: { favourites: others }, notifications: { workflows: otherModes } })}
        />
      </div>
    </SettingRow>
  );
}

/** Props of the parts of the section: the settings, and a function that changes them. */
interface DesktopRows {
  readonly settings: DesktopSettings;
  readonly change: ReturnType<typeof useChangeDesktopSettings>['mutate'];
}

/** Desktop app settings: closing, notifications, power, tray; nothing in a browser. */
export function DesktopSection() {
  const { desktop } = useBridge();
  const settings = useDesktopSettings().data;
  const { mutate } = useChangeDesktopSettings();
  if (desktop === undefined || settings === undefined) return null;
  return (
    <>
      <SettingSection title="Desktop">
        <SettingRow
          label="Closing the window"
          help="Schedules, queues and runs continue while the window is closed."
        >
          <Segmented
            label="Closing the window"
            value={settings.life.onClose}
            choices={[
              { value: 'tray', label: 'Keep running in the tray' },
              { value: 'quit', label: 'Quit the app' },
            ]}
            onChange={(onClose) => mutate({ life: { onClose } })}
          />
        </SettingRow>
        <SettingRow label="Prevent sleep" help="Keeps the computer awake while runs are active.">
          <Switch
            label="Prevent sleep while runs are active"
            isLabelHidden
            isSelected={settings.power.keepAwake}
            onChange={(keepAwake) => mutate({ power: { keepAwake } })}
          />
        </SettingRow>
      </SettingSection>
      <NotificationRows settings={settings} change={mutate} />
      <WorkflowRows settings={settings} change={mutate} />
    </>
  );
}
