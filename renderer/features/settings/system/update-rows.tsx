import {
  useChangeDesktopSettings,
  useDesktopSettings,
} from '../../../api/queries/desktop/desktop-queries.ts';
import { useDesktopChange, useDesktopReading } from '../../../api/queries/desktop/desktop-system-queries.ts';
import type { DesktopOutput } from '../../../../core/contract/desktop/calls.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { Switch } from '../../../ui/controls/switch.tsx';
import { SettingRow, SettingSection } from '../setting-row.tsx';

type UpdateView = DesktopOutput<'updates.get'>;

/** New versions of the desktop app. */
export function UpdateRows() {
  const settings = useDesktopSettings().data?.updates;
  const { mutate } = useChangeDesktopSettings();
  const view = useDesktopReading('updates.get').data;
  const check = useDesktopChange('updates.check', 'updates.get');
  const install = useDesktopChange('updates.install', 'updates.get');
  const stay = useDesktopChange('updates.stay', 'updates.get');
  if (settings === undefined || view === undefined) return null;
  if (view.state === 'off')
    return (
      <SettingSection title="Updates">
        <SettingRow label="No updates here" help={view.reason}>
          {null}
        </SettingRow>
      </SettingSection>
    );
  return (
    <SettingSection title="Updates">
      <SettingRow label="Look for new versions" help="They are downloaded, never taken without a click.">
        <Switch
          label="Look for new versions"
          isLabelHidden
          isSelected={settings.automatic}
          onChange={(automatic) => mutate({ updates: { automatic } })}
        />
      </SettingRow>
      <SettingRow label={describe(view)} help={explain(view)}>
        <UpdateButton
          state={view.state}
          onLook={() => check.mutate({})}
          onInstall={() => install.mutate({})}
          onStay={() => stay.mutate({})}
        />
      </SettingRow>
    </SettingSection>
  );
}

interface UpdateButtonProps {
  readonly state: UpdateView['state'];
  readonly onLook: () => void;
  readonly onInstall: () => void;
  readonly onStay: () => void;
}

/** What can be done next. */
function UpdateButton({ state, onLook, onInstall, onStay }: UpdateButtonProps) {
  if (state === 'ready')
    return (
      <Button size="small" onPress={onInstall}>
        Restart when idle
      </Button>
    );
  if (state === 'waiting')
    return (
      <Button size="small" onPress={onStay}>
        Do not restart
      </Button>
    );
  return (
    <Button size="small" isPending={state !== 'idle' && state !== 'failed'} onPress={onLook}>
      Look now
    </Button>
  );
}

const explain = ({ state, reason }: UpdateView): string | undefined =>
  state === 'waiting' ? 'Until then nothing new begins here.' : state === 'failed' ? reason : undefined;

function describe({ state, version, percent = 0 }: UpdateView): string {
  const words: Readonly<Record<typeof state, string>> = {
    off: '',
    idle: 'This is the newest version that is known',
    checking: 'Looking for a new version',
    downloading: `Version ${version} is downloaded: ${percent} %`,
    ready: `Version ${version} is ready`,
    waiting: `Version ${version} is taken when the active runs have ended`,
    restarting: `Restarting into version ${version}`,
    failed: 'The last look failed',
  };
  return words[state];
}
