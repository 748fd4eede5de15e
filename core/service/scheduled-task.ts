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
    parseState,
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
  const args = [info.engine.program, ...serviceArgs(info)].map(quoteArg);
  return [...variables, args.join(' ')].join('&& ');
}

/** Quotes an argument for the C runtime of Windows. */
const quoteArg = (arg: string): string =>
  `"${arg.replaceAll(/(\\*)"/g, '$1$1\\"').replace(/(\\+)$/, '$1$1')}"`;

function parseState({ exitCode, stdout, error }: ManagerOutput): ServiceState {
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
