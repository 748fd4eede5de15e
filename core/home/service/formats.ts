import path from 'node:path';
import { escapeMarkup } from '../../base/text.ts';
import {
  serviceVariables,
  serviceArgs,
  type ManagerOutput,
  type ServiceInfo,
  type ServicePlan,
  type ServiceState,
  homeSuffix,
} from './service-info.ts';

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
    parseState: parseUnitState,
  };
}

function writeUnit(info: ServiceInfo): string {
  const command = [info.engine.program, ...serviceArgs(info)].map(quoteUnitArg).join(' ');
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
const quoteUnitArg = (arg: string): string => quote(arg.replaceAll('$', '$$$$'));

function parseUnitState({ exitCode, stdout, error }: ManagerOutput): ServiceState {
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

/** Plans the engine as a user agent on macOS (launchd.plist(5)). */
export function planLaunchd(info: ServiceInfo): ServicePlan {
  const name = `io.stepwright.engine${homeSuffix(info)}`;
  const file = path.posix.join(info.userFolder, 'Library', 'LaunchAgents', `${name}.plist`);
  const domain = `gui/${info.userId}`;
  const notify = (...args: readonly string[]) => ({ argv: ['launchctl', ...args] });
  const leave = { ...notify('bootout', `${domain}/${name}`), mayFail: true } as const;
  return {
    manager: 'launchd',
    name,
    file,
    text: writeAgent(info, name),
    encoding: 'utf8',
    // A loaded agent keeps its old definition.
    install: [leave, notify('enable', `${domain}/${name}`), notify('bootstrap', domain, file)],
    start: [
      { ...notify('bootstrap', domain, file), mayFail: true },
      notify('kickstart', `${domain}/${name}`),
    ],
    // The engine shuts down with exit code 0, so launchd does not restart it.
    stop: [notify('kill', 'SIGTERM', `${domain}/${name}`)],
    uninstall: [leave],
    forget: [],
    query: ['launchctl', 'print', `${domain}/${name}`],
    parseState: parseAgentState,
  };
}

function writeAgent(info: ServiceInfo, name: string): string {
  const log = path.posix.join(info.home, 'logs', 'service.log');
  const args = [info.engine.program, ...serviceArgs(info)];
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">',
    '<plist version="1.0">',
    '<dict>',
    ...entry('Label', [stringElement(name)]),
    ...entry('ProgramArguments', ['<array>', ...args.map((arg) => `  ${stringElement(arg)}`), '</array>']),
    ...entry('EnvironmentVariables', [
      '<dict>',
      ...serviceVariables(info).flatMap(([key, value]) => entry(key, [stringElement(value)])),
      '</dict>',
    ]),
    ...entry('RunAtLoad', ['<true/>']),
    ...entry('KeepAlive', ['<dict>', ...entry('SuccessfulExit', ['<false/>']), '</dict>']),
    ...entry('ThrottleInterval', ['<integer>10</integer>']),
    ...entry('ExitTimeOut', ['<integer>120</integer>']),
    // Steps survive a crash of the engine, and the next one takes them over.
    ...entry('AbandonProcessGroup', ['<true/>']),
    ...entry('Umask', ['<integer>63</integer>']),
    ...entry('StandardOutPath', [stringElement(log)]),
    ...entry('StandardErrorPath', [stringElement(log)]),
    '</dict>',
    '</plist>',
    '',
  ].join('\n');
}

const stringElement = (value: string): string => `<string>${escapeXml(value)}</string>`;
const entry = (key: string, lines: readonly string[]): string[] =>
  [`<key>${escapeXml(key)}</key>`, ...lines].map((line) => `  ${line}`);

/** 113: unknown service. */
const unknownService = 113;

function parseAgentState({ exitCode, stdout, error }: ManagerOutput): ServiceState {
  if (exitCode === 0) {
    return { isKnown: true, isEnabled: true, isRunning: /^\s*state = running$/m.test(stdout) };
  }
  const notInstalled = { isKnown: false, isEnabled: false, isRunning: false };
  return exitCode === unknownService
    ? notInstalled
    : { ...notInstalled, problem: `launchd does not respond: ${error ?? `exit code ${exitCode}`}` };
}

/** Plans the engine as a logon task on Windows (Task Scheduler schema 1.2). */
export function planScheduledTask(info: ServiceInfo): ServicePlan {
  const name = `Stepwright${homeSuffix(info)}`;
  const file = path.win32.join(info.home, 'data', 'service-task.xml');
  const notify = (...args: readonly string[]) => ({ argv: ['schtasks.exe', ...args] });
  const end = { ...notify('/End', '/TN', name), mayFail: true } as const;
  const run = notify('/Run', '/TN', name);
  return {
    manager: 'task scheduler',
    name,
    file,
    text: writeTask(info),
    // The only encoding that schtasks reliably reads.
    encoding: 'utf16le',
    install: [end, notify('/Create', '/TN', name, '/XML', file, '/F'), run],
    start: [run],
    stop: [notify('/End', '/TN', name)],
    uninstall: [end, { ...notify('/Delete', '/TN', name, '/F'), mayFail: true }],
    forget: [],
    query: ['schtasks.exe', '/Query', '/TN', name, '/FO', 'LIST', '/V'],
    parseState: parseTaskState,
  };
}

function writeTask(info: ServiceInfo): string {
  const user = escapeXml(info.userName);
  return [
    '<?xml version="1.0" encoding="UTF-16"?>',
    '<Task version="1.2" xmlns="http://schemas.microsoft.com/windows/2004/02/mit/task">',
    '  <RegistrationInfo>',
    `    <Description>Stepwright engine (${escapeXml(info.home)})</Description>`,
    '  </RegistrationInfo>',
    '  <Triggers>',
    `    <LogonTrigger><Enabled>true</Enabled><UserId>${user}</UserId></LogonTrigger>`,
    '  </Triggers>',
    '  <Principals>',
    `    <Principal id="Author"><UserId>${user}</UserId><LogonType>InteractiveToken</LogonType><RunLevel>LeastPrivilege</RunLevel></Principal>`,
    '  </Principals>',
    '  <Settings>',
    '    <MultipleInstancesPolicy>IgnoreNew</MultipleInstancesPolicy>',
    '    <DisallowStartIfOnBatteries>false</DisallowStartIfOnBatteries>',
    '    <StopIfGoingOnBatteries>false</StopIfGoingOnBatteries>',
    '    <StartWhenAvailable>true</StartWhenAvailable>',
    '    <IdleSettings><StopOnIdleEnd>false</StopOnIdleEnd><RestartOnIdle>false</RestartOnIdle></IdleSettings>',
    '    <ExecutionTimeLimit>PT0S</ExecutionTimeLimit>',
    '    <RestartOnFailure><Interval>PT1M</Interval><Count>10</Count></RestartOnFailure>',
    '  </Settings>',
    '  <Actions Context="Author">',
    '    <Exec>',
    // Hides the console window and sets the environment; a task has no variables of its own.
    '      <Command>%SystemRoot%\\System32\\conhost.exe</Command>',
    `      <Arguments>${escapeXml(`--headless cmd.exe /d /s /c "${writeCommand(info)}"`)}</Arguments>`,
    `      <WorkingDirectory>${escapeXml(info.home)}</WorkingDirectory>`,
    '    </Exec>',
    '  </Actions>',
    '</Task>',
    '',
  ].join('\r\n');
}

function writeCommand(info: ServiceInfo): string {
  const variables = serviceVariables(info).map(([name, value]) => `set "${name}=${value}"`);
  const args = [info.engine.program, ...serviceArgs(info)].map(quoteTaskArg);
  return [...variables, args.join(' ')].join('&& ');
}

/** Quotes an argument for the C runtime of Windows. */
const quoteTaskArg = (arg: string): string =>
  `"${arg.replaceAll(/(\\*)"/g, '$1$1\\"').replace(/(\\+)$/, '$1$1')}"`;

function parseTaskState({ exitCode, stdout, error }: ManagerOutput): ServiceState {
  const notInstalled = { isKnown: false, isEnabled: false, isRunning: false };
  if (exitCode === null)
    return {
      ...notInstalled,
      problem: `the task scheduler does not respond: ${error ?? 'it did not start'}`,
    };
  if (exitCode !== 0) return notInstalled;
  // The text is localized, the number is not: 267009 is SCHED_S_TASK_RUNNING.
  return { isKnown: true, isEnabled: true, isRunning: /\b267009\b/.test(stdout) };
}

/** Escapes a string as XML content; control characters, most of which XML cannot represent, become spaces. */
const escapeXml = (text: string): string => escapeMarkup(text).replaceAll(/\p{Cc}/gu, ' ');
