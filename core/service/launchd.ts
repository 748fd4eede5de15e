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
import { escapeXml } from './xml-text.ts';

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
    parseState,
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
    ...entry('Label', [text(name)]),
    ...entry('ProgramArguments', ['<array>', ...args.map((arg) => `  ${text(arg)}`), '</array>']),
    ...entry('EnvironmentVariables', [
      '<dict>',
      ...serviceVariables(info).flatMap(([key, value]) => entry(key, [text(value)])),
      '</dict>',
    ]),
    ...entry('RunAtLoad', ['<true/>']),
    ...entry('KeepAlive', ['<dict>', ...entry('SuccessfulExit', ['<false/>']), '</dict>']),
    ...entry('ThrottleInterval', ['<integer>10</integer>']),
    ...entry('ExitTimeOut', ['<integer>120</integer>']),
    // Steps survive a crash of the engine, and the next one takes them over.
    ...entry('AbandonProcessGroup', ['<true/>']),
    ...entry('Umask', ['<integer>63</integer>']),
    ...entry('StandardOutPath', [text(log)]),
    ...entry('StandardErrorPath', [text(log)]),
    '</dict>',
    '</plist>',
    '',
  ].join('\n');
}

const text = (value: string): string => `<string>${escapeXml(value)}</string>`;
const entry = (key: string, lines: readonly string[]): string[] =>
  [`<key>${escapeXml(key)}</key>`, ...lines].map((line) => `  ${line}`);

/** 113: unknown service. */
const unknownService = 113;

function parseState({ exitCode, stdout, error }: ManagerOutput): ServiceState {
  if (exitCode === 0) {
    return { isKnown: true, isEnabled: true, isRunning: /^\s*state = running$/m.test(stdout) };
  }
  const notInstalled = { isKnown: false, isEnabled: false, isRunning: false };
  return exitCode === unknownService
    ? notInstalled
    : { ...notInstalled, problem: `launchd does not respond: ${error ?? `exit code ${exitCode}`}` };
}
