import type { DesktopOutput } from '../../../core/contract/desktop-calls.ts';
import {
  useChangeDesktopSettings,
  useDesktopSettings,
  useDesktopChange,
  useDesktopQuery,
} from './desktop-queries.ts';
import { Segmented, Switch } from '../../ui/choices.tsx';
import { Button } from '../../ui/button.tsx';
import { useBridge } from '../../api/bridge.ts';
import { SettingRow, SettingSection, useTypedSetting, type TypedSetting } from './setting-row.tsx';
import styles from './settings.module.css';

/** Proxy and certificates of the desktop app. */
export function NetworkRows() {
  const network = useDesktopSettings().data?.network;
  const { mutate } = useChangeDesktopSettings();
  if (network === undefined) return null;
  return (
    <SettingSection title="Network">
      <SettingRow label="Proxy" help="Sets HTTP_PROXY, HTTPS_PROXY and NO_PROXY for updates and new runs.">
        <Segmented
          label="Proxy"
          value={network.proxyMode}
          choices={[
            { value: 'system', label: 'System' },
            { value: 'manual', label: 'Manual' },
            { value: 'none', label: 'None' },
          ]}
          onChange={(proxyMode) => mutate({ network: { proxyMode } })}
        />
      </SettingRow>
      {network.proxyMode === 'manual' && (
        <>
          <TextRow
            label="Proxy URL"
            help={network.proxy === '' ? 'No proxy is used until you enter a URL.' : undefined}
            hint="http://proxy.example:3128"
            value={network.proxy}
            check={checkProxy}
            onCommit={(proxy) => mutate({ network: { proxy } })}
          />
          <TextRow
            label="Bypass proxy for"
            hint="localhost,.example.org"
            value={network.proxyBypass}
            onCommit={(proxyBypass) => mutate({ network: { proxyBypass } })}
          />
          <SettingRow label="Use proxy in steps" help="Applies to new runs.">
            <Switch
              label="Use proxy in steps"
              isLabelHidden
              isSelected={network.forSteps}
              onChange={(forSteps) => mutate({ network: { forSteps } })}
            />
          </SettingRow>
        </>
      )}
      <TextRow
        label="Additional CA certificates"
        hint="/path/to/certificates.pem"
        value={network.caFile}
        onCommit={(caFile) => mutate({ network: { caFile } })}
      />
    </SettingSection>
  );
}

/** Validates the proxy with the app's rules. */
const checkProxy = (text: string): string | undefined =>
  /^(https?:\/\/\S+)?$/i.test(text)
    ? undefined
    : 'Enter a URL such as http://proxy.example:3128, or leave blank.';

interface TextRowProps extends TypedSetting {
  readonly label: string;
  readonly help?: string | undefined;
  readonly hint: string;
}

/** Saved on blur. */
function TextRow({ label, help, hint, ...setting }: TextRowProps) {
  const { error, input } = useTypedSetting(setting);
  return (
    <SettingRow label={label} help={help} error={error}>
      <input className={styles.input} aria-label={label} placeholder={hint} spellCheck={false} {...input} />
    </SettingRow>
  );
}

type UpdateView = DesktopOutput<'updates.get'>;

/** Updates of the desktop app. */
function UpdateRows() {
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
      <SettingRow label={formatUpdate(view)} help={explain(view)}>
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

function formatUpdate({ state, version, percent = 0 }: UpdateView): string {
  const words: Readonly<Record<typeof state, string>> = {
    off: '',
    idle: 'Up to date',
    checking: 'Checking for updates',
    downloading: `Downloading version ${version}: ${percent}%`,
    ready: `Version ${version} is ready to install`,
    waiting: `Installing version ${version} when active runs finish`,
    restarting: `Restarting to version ${version}`,
    failed: 'Last update check failed',
  };
  return words[state];
}

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
