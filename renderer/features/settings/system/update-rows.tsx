import {
  useChangeDesktopSettings,
  useDesktopSettings,
} from '../../../api/queries/desktop/desktop-queries.ts';
import { useDesktopChange, useDesktopQuery } from '../../../api/queries/desktop/desktop-system-queries.ts';
import type { DesktopOutput } from '../../../../core/contract/desktop/calls.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { Switch } from '../../../ui/controls/switch.tsx';
import { SettingRow, SettingSection } from '../setting-row.tsx';

type UpdateView = DesktopOutput<'updates.get'>;

/** Updates of the desktop app. */
export function UpdateRows() {
  const settings = useDesktopSettings().data?.updates;
  const { mutate } = useChangeDesktopSettings();
  const view = useDesktopQuery('updates.get').data;
  const check = useDesktopChange('updates.check', 'updates.get');
  const install = useDesktopChange('updates.install', 'updates.get');
  const stay = useDesktopChange('updates.stay', 'updates.get');
  if (settings === undefined || view === undefined) return null;
  if (view.state === 'off')
    return (
      <SettingSection title="Updates">
        <SettingRow label="Automatic updates not available" help={view.reason}>
          {null}
        </SettingRow>
      </SettingSection>
    );
  return (
    <SettingSection title="Updates">
      <SettingRow
        label="Check for updates"
        help="Updates are downloaded automatically and installed when you confirm."
      >
        <Switch
          label="Check for updates"
          isLabelHidden
          isSelected={settings.automatic}
          onChange={(automatic) => mutate({ updates: { automatic } })}
        />
      </SettingRow>
      <SettingRow label={describe(view)} help={explain(view)}>
        <UpdateButton
          state={view.state}
          onCheckForUpdates={() => check.mutate({})}
          onInstall={() => install.mutate({})}
          onStay={() => stay.mutate({})}
        />
      </SettingRow>
    </SettingSection>
  );
}

interface UpdateButtonProps {
  readonly state: UpdateView['state'];
  readonly onCheckForUpdates: () => void;
  readonly onInstall: () => void;
  readonly onStay: () => void;
}

/** The next available action. */
function UpdateButton({ state, onCheckForUpdates, onInstall, onStay }: UpdateButtonProps) {
  if (state === 'ready')
    return (
      <Button size="small" onPress={onInstall}>
        Restart when idle
      </Button>
    );
  if (state === 'waiting')
    return (
      <Button size="small" onPress={onStay}>
        Cancel restart
      </Button>
    );
  return (
    <Button size="small" isPending={state !== 'idle' && state !== 'failed'} onPress={onCheckForUpdates}>
      Check now
    </Button>
  );
}

const explain = ({ state, reason }: UpdateView): string | undefined =>
  state === 'waiting' ? 'No new runs start until then.' : state === 'failed' ? reason : undefined;

function describe({ state, version, percent = 0 }: UpdateView): string {
  const words: Readonly<Record<typeof state, string>> = {
    off: '',
    idle: 'Up to date',
    checking: 'Checking for updates',
    downloading: `Downloading version ${version}: ${percent} %`,
    ready: `Version ${version} is ready to install`,
    waiting: `Installing version ${version} when active runs finish`,
    restarting: `Restarting to version ${version}`,
    failed: 'Last update check failed',
  };
  return words[state];
}
