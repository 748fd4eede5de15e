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
import { xmlText } from './xml-text.ts';

/** Plans the engine as a user agent on macOS (launchd.plist(5)). */
export function planLaunchd(facts: ServiceFacts): ServicePlan {
  const name = `io.stepwright.engine${homeMark(facts)}`;
  const file = path.posix.join(facts.userFolder, 'Library', 'LaunchAgents', `${name}.plist`);
  const domain = `gui/${facts.userId}`;
  const tell = (...words: readonly string[]) => ({ argv: ['launchctl', ...words] });
  const leave = { ...tell('bootout', `${domain}/${name}`), mayFail: true } as const;
  return {
    manager: 'launchd',
    name,
    file,
    text: writeAgent(facts, name),
    encoding: 'utf8',
    // A loaded agent keeps its old definition.
    install: [leave, tell('enable', `${domain}/${name}`), tell('bootstrap', domain, file)],
    start: [{ ...tell('bootstrap', domain, file), mayFail: true }, tell('kickstart', `${domain}/${name}`)],
    // It shuts down with exit code 0, so it is not restarted.
    stop: [tell('kill', 'SIGTERM', `${domain}/${name}`)],
    uninstall: [leave],
    forget: [],
    query: ['launchctl', 'print', `${domain}/${name}`],
    readAnswer,
  };
}

function writeAgent(facts: ServiceFacts, name: string): string {
  const log = path.posix.join(facts.home, 'logs', 'service.log');
  const words = [facts.engine.program, ...serviceWords(facts)];
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">',
    '<plist version="1.0">',
    '<dict>',
    ...entry('Label', [text(name)]),
    ...entry('ProgramArguments', ['<array>', ...words.map((word) => `  ${text(word)}`), '</array>']),
    ...entry('EnvironmentVariables', [
      '<dict>',
      ...serviceVariables(facts).flatMap(([key, value]) => entry(key, [text(value)])),
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

const text = (value: string): string => `<string>${xmlText(value)}</string>`;
const entry = (key: string, lines: readonly string[]): string[] =>
  [`<key>${xmlText(key)}</key>`, ...lines].map((line) => `  ${line}`);

/** 113: unknown service. */
const unknownService = 113;

function readAnswer({ exitCode, stdout, error }: ManagerAnswer): ServiceState {
  if (exitCode === 0) {
    return { isKnown: true, isEnabled: true, isRunning: /^\s*state = running$/m.test(stdout) };
  }
  const none = { isKnown: false, isEnabled: false, isRunning: false };
  return exitCode === unknownService
    ? none
    : { ...none, problem: `launchd does not respond: ${error ?? `exit code ${exitCode}`}` };
}
