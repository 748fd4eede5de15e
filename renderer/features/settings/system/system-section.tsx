import { useBridge } from '../../../api/bridge.ts';
import { useDesktopChange, useDesktopQuery } from '../../../api/queries/desktop/desktop-system-queries.ts';
import { Switch } from '../../../ui/controls/switch.tsx';
import { SettingRow, SettingSection } from '../setting-row.tsx';
import { KeychainRows } from './keychain-rows.tsx';
import { NetworkRows } from './network-rows.tsx';
import { UpdateRows } from './update-rows.tsx';

/** System integration of the desktop app; nothing in a browser. */
export function SystemSection() {
  const { desktop } = useBridge();
  if (desktop === undefined) return null;
  return (
    <>
      <SettingSection title="System">
        <LoginRow />
        <ServiceRow />
        <CommandRow />
      </SettingSection>
      <KeychainRows />
      <NetworkRows />
      <UpdateRows />
    </>
  );
}

function LoginRow() {
  const login = useDesktopQuery('login.get').data;
  const change = useDesktopChange('login.set', 'login.get');
  return (
    <SettingRow label="Start at login" help="Starts in the tray, without a window.">
      <Switch
        label="Start at login"
        isLabelHidden
        isSelected={login?.enabled ?? false}
        isDisabled={login === undefined || change.isPending}
        onChange={(enabled) => change.mutate({ enabled })}
      />
    </SettingRow>
  );
}

function ServiceRow() {
  const service = useDesktopQuery('service.status').data;
  const change = useDesktopChange('service.change', 'service.status');
  const state = service?.installed
    ? `${service.name} (${service.manager}): ${service.running ? 'running' : 'not running'}.`
    : 'Schedules and queues continue after you quit the app.';
  return (
    <SettingRow
      label="Run engine as a background service"
      help={
        <>
          {state} {service?.outdated && 'The service is outdated. Turn it off and on again.'}{' '}
          {service?.problem}
        </>
      }
    >
      <Switch
        label="Run engine as a background service"
        isLabelHidden
        isSelected={service?.installed ?? false}
        isDisabled={service === undefined || change.isPending}
        unavailable={service?.installed ? undefined : service?.problem}
        onChange={(on) => change.mutate({ action: on ? 'install' : 'uninstall' })}
      />
    </SettingRow>
  );
}

function CommandRow() {
  const command = useDesktopQuery('command.get').data;
  const change = useDesktopChange('command.set', 'command.get');
  return (
    <SettingRow
      label="Install the engine command"
      help={
        <>
          {command?.place} {command?.problem}
        </>
      }
    >
      <Switch
        label="Install the engine command"
        isLabelHidden
        isSelected={command?.enabled ?? false}
        isDisabled={command === undefined || change.isPending}
        onChange={(enabled) => change.mutate({ enabled })}
      />
    </SettingRow>
  );
}
