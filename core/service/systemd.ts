import path from 'node:path';
import {
  serviceVariables,
  serviceWords,
  type ManagerAnswer,
  type ServiceFacts,
  type ServicePlan,
  type ServiceState,
} from './service-facts.ts';
import { homeMark } from './service-name.ts';

/** Plans the engine as a systemd user unit (systemd.service(5), systemd.unit(5)). */
export function planSystemd(facts: ServiceFacts): ServicePlan {
  const name = `stepwright${homeMark(facts)}.service`;
  const tell = (...words: readonly string[]) => ({ argv: ['systemctl', '--user', ...words] });
  return {
    manager: 'systemd',
    name,
    file: path.posix.join(facts.configFolder, 'systemd', 'user', name),
    text: writeUnit(facts),
    encoding: 'utf8',
    install: [tell('daemon-reload'), tell('enable', name), tell('restart', name)],
    start: [tell('start', name)],
    stop: [tell('stop', name)],
    uninstall: [{ ...tell('disable', '--now', name), mayFail: true }],
    forget: [{ ...tell('daemon-reload'), mayFail: true }],
    query: ['systemctl', '--user', 'show', name, '--property=LoadState,ActiveState,UnitFileState'],
    readAnswer,
  };
}

function writeUnit(facts: ServiceFacts): string {
  const command = [facts.engine.program, ...serviceWords(facts)].map(quoteWord).join(' ');
  const variables = serviceVariables(facts).map(
    ([name, value]) => `Environment=${quote(`${name}=${value}`)}`,
  );
  return [
    '[Unit]',
    `Description=Stepwright engine (${oneLine(facts.home)})`,
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
const quote = (word: string): string =>
  `"${word.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n').replaceAll('%', '%%')}"`;

/** Quotes a command argument, in which `$` must be escaped as well. */
const quoteWord = (word: string): string => quote(word.replaceAll('$', '$$$$'));

function readAnswer({ exitCode, stdout, error }: ManagerAnswer): ServiceState {
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
