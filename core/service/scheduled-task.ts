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

/** Plans the engine as a logon task on Windows (Task Scheduler schema 1.2). */
export function planScheduledTask(facts: ServiceFacts): ServicePlan {
  const name = `Stepwright${homeMark(facts)}`;
  const file = path.win32.join(facts.home, 'data', 'service-task.xml');
  const tell = (...words: readonly string[]) => ({ argv: ['schtasks.exe', ...words] });
  const end = { ...tell('/End', '/TN', name), mayFail: true } as const;
  const run = tell('/Run', '/TN', name);
  return {
    manager: 'task scheduler',
    name,
    file,
    text: writeTask(facts),
    // The only encoding that schtasks reliably reads.
    encoding: 'utf16le',
    install: [end, tell('/Create', '/TN', name, '/XML', file, '/F'), run],
    start: [run],
    stop: [tell('/End', '/TN', name)],
    uninstall: [end, { ...tell('/Delete', '/TN', name, '/F'), mayFail: true }],
    forget: [],
    query: ['schtasks.exe', '/Query', '/TN', name, '/FO', 'LIST', '/V'],
    readAnswer,
  };
}

function writeTask(facts: ServiceFacts): string {
  const user = xmlText(facts.userName);
  return [
    '<?xml version="1.0" encoding="UTF-16"?>',
    '<Task version="1.2" xmlns="http://schemas.microsoft.com/windows/2004/02/mit/task">',
    '  <RegistrationInfo>',
    `    <Description>Stepwright engine (${xmlText(facts.home)})</Description>`,
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
    `      <Arguments>${xmlText(`--headless cmd.exe /d /s /c "${writeCommand(facts)}"`)}</Arguments>`,
    `      <WorkingDirectory>${xmlText(facts.home)}</WorkingDirectory>`,
    '    </Exec>',
    '  </Actions>',
    '</Task>',
    '',
  ].join('\r\n');
}

function writeCommand(facts: ServiceFacts): string {
  const variables = serviceVariables(facts).map(([name, value]) => `set "${name}=${value}"`);
  const words = [facts.engine.program, ...serviceWords(facts)].map(quoteWord);
  return [...variables, words.join(' ')].join('&& ');
}

/** Quotes an argument for the C runtime of Windows. */
const quoteWord = (word: string): string =>
  `"${word.replaceAll(/(\\*)"/g, '$1$1\\"').replace(/(\\+)$/, '$1$1')}"`;

function readAnswer({ exitCode, stdout, error }: ManagerAnswer): ServiceState {
  const none = { isKnown: false, isEnabled: false, isRunning: false };
  if (exitCode === null)
    return { ...none, problem: `the task scheduler does not respond: ${error ?? 'it did not start'}` };
  if (exitCode !== 0) return none;
  // The text is localized, the number is not: 267009 is SCHED_S_TASK_RUNNING.
  return { isKnown: true, isEnabled: true, isRunning: /\b267009\b/.test(stdout) };
}
