import { useChangeDesktopSettings, useDesktopSettings } from '../../../api/desktop-queries.ts';
import { useDesktopChange, useDesktopReading } from '../../../api/desktop-system-queries.ts';
import type { DesktopOutput } from '../../../../core/contract/desktop/calls.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { Switch } from '../../../ui/controls/switch.tsx';
import { SettingRow, SettingSection } from '../setting-row.tsx';

/** New versions of the desktop app. */
export function UpdateRows() {
  const settings = useDesktopSettings().data?.updates;
  const { mutate } = useChangeDesktopSettings();
  const view = useDesktopReading('updates.get').data;
  const check = useDesktopChange('updates.check', 'updates.get');
  const install = useDesktopChange('updates.install', 'updates.get');
  if (settings === undefined || view === undefined) return null;
  if (view.state === 'off')
    return (
      <SettingSection title="Updates">
        <SettingRow label="No updates here" help={view.reason}>
          {null}
        </SettingRow>
      </SettingSection>
    );
  const isReady = view.state === 'ready' || view.state === 'waiting';
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
      <SettingRow label={describe(view)} help={view.state === 'failed' ? view.reason : undefined}>
        {isReady ? (
          <Button size="small" isDisabled={view.state === 'waiting'} onPress={() => install.mutate({})}>
            Restart when idle
          </Button>
        ) : (
          <Button size="small" isPending={view.state === 'checking'} onPress={() => check.mutate({})}>
            Look now
          </Button>
        )}
      </SettingRow>
    </SettingSection>
  );
}

function describe({ state, version, percent = 0 }: DesktopOutput<'updates.get'>): string {
  const words: Readonly<Record<typeof state, string>> = {
    off: '',
    idle: 'This is the newest version that is known',
    checking: 'Looking for a new version',
    downloading: `Version ${version} is downloaded: ${percent} %`,
    ready: `Version ${version} is ready`,
    waiting: `Version ${version} is taken when the active runs have ended`,
    failed: 'The last look failed',
  };
  return words[state];
}
