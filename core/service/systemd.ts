import path from 'node:path';
import {
  serviceVariables,
  serviceArgs,
  type ManagerOutput,
  type ServiceInfo,
  type ServicePlan,
  type ServiceState,
} from './service-info.ts';
import { homeSuffix } from './service-name.ts';

/** Plans the engine as a systemd user unit (systemd.service(5), systemd.unit(5)). */
export function planSystemd(info: ServiceInfo): ServicePlan {
  const name = `stepwright${homeSuffix(info)}.service`;
  const notify = (...args: readonly string[]) => ({ argv: ['systemctl', '--user', ...args] });
  return {
    manager: 'systemd',
    name,
    file: path.posix.join(info.configFolder, 'systemd', 'user', name),
    text: writeUnit(info),
    encoding: 'utf8',
    install: [notify('daemon-reload'), notify('enable', name), notify('restart', name)],
    start: [notify('start', name)],
    stop: [notify('stop', name)],
    uninstall: [{ ...notify('disable', '--now', name), mayFail: true }],
    forget: [{ ...notify('daemon-reload'), mayFail: true }],
    query: ['systemctl', '--user', 'show', name, '--property=LoadState,ActiveState,UnitFileState'],
    parseState,
  };
}

function writeUnit(info: ServiceInfo): string {
  const command = [info.engine.program, ...serviceArgs(info)].map(quoteArg).join(' ');
  const variables = serviceVariables(info).map(([name, value]) => `Environment=${quote(`${name}=${value}`)}`);
  return [
    '[Unit]',
    `Description=Stepwright engine (${oneLine(info.home)})`,
    'StartLimitIntervalSec=300',
    'StartLimitBurst=10',
    '',
    '[Service]',
    'Type=exec',
    `ExecStart=${command}`,
    ...variables,
    'Restart=on-failure',
    'RestartSec=5',
    // Steps survive a crash of the engine, and the next one takes them over; in a graceful shutdown, the engine stops
    // them itself.
    'KillMode=process',
    'TimeoutStopSec=120',
    'UMask=0077',
    '',
    '[Install]',
    'WantedBy=default.target',
    '',
  ].join('\n');
}

const oneLine = (text: string): string => text.replaceAll(/[\r\n]/g, ' ').replaceAll('%', '%%');

/** Quotes a word and escapes `%`. */
const quote = (arg: string): string =>
  `"${arg.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n').replaceAll('%', '%%')}"`;

/** Quotes a command argument, in which `$` must be escaped as well. */
const quoteArg = (arg: string): string => quote(arg.replaceAll('$', '$$$$'));

function parseState({ exitCode, stdout, error }: ManagerOutput): ServiceState {
  if (exitCode !== 0) {
    const problem = `systemd does not respond for this user: ${error ?? `exit code ${exitCode}`}`;
    return { isKnown: false, isEnabled: false, isRunning: false, problem };
  }
  const values = new Map(stdout.split('\n').map((line) => line.split('=', 2) as [string, string]));
  return {
    isKnown: values.get('LoadState') === 'loaded',
    isEnabled: values.get('UnitFileState') === 'enabled',
    isRunning: ['active', 'activating', 'reloading'].includes(values.get('ActiveState') ?? ''),
  };
}
