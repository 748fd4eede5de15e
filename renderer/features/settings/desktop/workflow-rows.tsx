import { X } from 'lucide-react';
import type { WorkflowNotices } from '../../../../core/contract/desktop/settings.ts';
import { useDags } from '../../../api/queries/workflows/workflow-queries.ts';
import { IconButton } from '../../../ui/controls/icon-button.tsx';
import { NativeSelect } from '../../../ui/controls/native-select.tsx';
import { Select } from '../../../ui/controls/select.tsx';
import { Switch } from '../../../ui/controls/switch.tsx';
import { SettingRow, SettingSection } from '../setting-row.tsx';
import styles from '../settings.module.css';
import type { DesktopRows } from './desktop-section.tsx';

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
export function WorkflowRows({ settings, change }: DesktopRows) {
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
