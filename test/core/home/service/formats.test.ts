import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { planService } from '../../../../core/home/service/service-control.ts';
import type { ServiceInfo } from '../../../../core/home/service/service-info.ts';
import { makeTemporaryFolder } from '../../../harness/resources.ts';

/**
 * Whether definitions are valid for their service manager: by its own program where it is installed, else by its rules.
 */

/** Every character with a special meaning in one of the formats. */
const awkward = `a & <b> "c" 'd' $HOME %h \\ ü]]>`;

const info = (more: Partial<ServiceInfo> = {}): ServiceInfo => ({
  platform: 'linux',
  home: `/home/ann/${awkward}`,
  isUsualHome: false,
  engine: {
    program: process.execPath,
    args: [`/opt/${awkward}/engine.js`],
    environment: { ELECTRON_RUN_AS_NODE: '1' },
  },
  userFolder: '/home/ann',
  configFolder: '/home/ann/.config',
  userId: 1000,
  userName: 'DESK\\ann & <bo>',
  environment: { PATH: `/usr/bin:/${awkward}`, LANG: 'en_GB.UTF-8' },
  ...more,
});

const analyzer = '/usr/bin/systemd-analyze';

describe('systemd unit', () => {
  it.skipIf(!existsSync(analyzer))('is accepted by systemd-analyze, if installed', async () => {
    const folder = makeTemporaryFolder();
    const plan = planService(info());
    const file = path.join(folder, plan.name);
    writeFileSync(file, plan.text);
    const runtime = path.join(folder, 'run');
    mkdirSync(runtime);
    const verify = (unit: string) =>
      promisify(execFile)(analyzer, ['verify', '--user', '--man=no', unit], {
        env: { ...process.env, XDG_RUNTIME_DIR: runtime, LC_ALL: 'C.UTF-8' },
      });
    const { stdout, stderr } = await verify(file);
    expect(`${stdout}${stderr}`.split('\n').filter((line) => line.includes(plan.name))).toEqual([]);
    // The check works: an unknown word is reported.
    const wrong = path.join(folder, 'wrong.service');
    writeFileSync(wrong, plan.text.replace('KillMode=process', 'KillMode=some'));
    const told = await verify(wrong).catch((error: { stderr: string }) => error);
    expect(told.stderr).toContain('wrong.service');
  });
});

describe('launchd agent', () => {
  // A dependency of electron-builder, not a direct one.
  const builder = path.join(import.meta.dirname, '../../../node_modules/app-builder-lib/package.json');
  const { parse } = createRequire(builder)('plist') as { parse(text: string): Record<string, unknown> };

  it('parses to the intended values, under keys that launchd knows', () => {
    const given = info({ platform: 'darwin', userFolder: '/Users/ann', userId: 501 });
    const plan = planService(given);
    const log = `${given.home}/logs/service.log`;
    expect(parse(plan.text)).toEqual({
      Label: plan.name,
      ProgramArguments: [
        given.engine.program,
        ...given.engine.args,
        '--engine-home',
        given.home,
        'start-all',
      ],
      EnvironmentVariables: { ...given.environment, ELECTRON_RUN_AS_NODE: '1' },
      RunAtLoad: true,
      KeepAlive: { SuccessfulExit: false },
      ThrottleInterval: 10,
      ExitTimeOut: 120,
      AbandonProcessGroup: true,
      // 077, which a property list can only express in decimals.
      Umask: 0o77,
      StandardOutPath: log,
      StandardErrorPath: log,
    });
    expect(path.basename(plan.file)).toBe(`${plan.name}.plist`);
  });
});

/** Possible types of text in the schema. */
const isBoolean = /^(true|false)$/;
const isDuration = /^P(?!$)(\d+D)?(T(?=\d)(\d+H)?(\d+M)?(\d+S)?)?$/;
const isText = /[^]/;

/**
 * The part of the schema of Task Scheduler 1.2 ([MS-TSCH], 2.5) that is used: the children an element can have, each
 * once, or the type of its text.
 */
const taskSchema: Readonly<Record<string, readonly string[] | RegExp>> = {
  Task: ['RegistrationInfo', 'Triggers', 'Principals', 'Settings', 'Actions'],
  RegistrationInfo: ['Description', 'Author', 'Version', 'URI'],
  Description: isText,
  Triggers: ['LogonTrigger'],
  LogonTrigger: ['Enabled', 'StartBoundary', 'EndBoundary', 'UserId', 'Delay'],
  Principals: ['Principal'],
  Principal: ['UserId', 'LogonType', 'GroupId', 'DisplayName', 'RunLevel'],
  UserId: isText,
  LogonType: /^(S4U|Password|InteractiveToken|InteractiveTokenOrPassword)$/,
  RunLevel: /^(LeastPrivilege|HighestAvailable)$/,
  Settings: [
    'MultipleInstancesPolicy',
    'DisallowStartIfOnBatteries',
    'StopIfGoingOnBatteries',
    'AllowHardTerminate',
    'StartWhenAvailable',
    'IdleSettings',
    'Enabled',
    'Hidden',
    'ExecutionTimeLimit',
    'RestartOnFailure',
    'Priority',
  ],
  MultipleInstancesPolicy: /^(Parallel|Queue|IgnoreNew|StopExisting)$/,
  DisallowStartIfOnBatteries: isBoolean,
  StopIfGoingOnBatteries: isBoolean,
  StartWhenAvailable: isBoolean,
  Enabled: isBoolean,
  IdleSettings: ['StopOnIdleEnd', 'RestartOnIdle'],
  StopOnIdleEnd: isBoolean,
  RestartOnIdle: isBoolean,
  ExecutionTimeLimit: isDuration,
  RestartOnFailure: ['Interval', 'Count'],
  Interval: isDuration,
  // An unsigned byte.
  Count: /^([1-9]?\d|1\d\d|2[0-4]\d|25[0-5])$/,
  Actions: ['Exec'],
  Exec: ['Command', 'Arguments', 'WorkingDirectory'],
  Command: isText,
  Arguments: isText,
  WorkingDirectory: isText,
};

const namespace = 'http://schemas.microsoft.com/windows/2004/02/mit/task';

/** Violations of the schema by an element and its descendants. */
function findFaults(element: Element): string[] {
  const rule = taskSchema[element.localName];
  const children = [...element.children];
  if (rule === undefined || element.namespaceURI !== namespace) return [`${element.localName} is not known`];
  if (rule instanceof RegExp) {
    const isRight = children.length === 0 && rule.test(element.textContent);
    return isRight ? [] : [`${element.localName}: ${element.textContent}`];
  }
  const names = children.map((child) => child.localName);
  return [
    ...names.filter((name) => !rule.includes(name)).map((name) => `${name} in ${element.localName}`),
    ...names.filter((name, index) => names.indexOf(name) !== index).map((name) => `${name} twice`),
    ...children.flatMap(findFaults),
  ];
}

describe('Windows task', () => {
  // It has no types.
  const { JSDOM } = createRequire(import.meta.url)('jsdom') as {
    JSDOM: new (page: string) => { readonly window: { readonly DOMParser: new () => DOMParser } };
  };
  const Parser = new JSDOM('').window.DOMParser;
  const read = (text: string): Element =>
    // The declaration names the encoding of the file, not of this string.
    new Parser().parseFromString(text.replace(/^<\?xml.*?\?>\s*/, ''), 'application/xml').documentElement;
  const given = info({ platform: 'win32', home: `C:\\Users\\${awkward.replaceAll(/["<>]/g, '')}` });
  const plan = planService(given);

  it('follows the schema of the task scheduler, with the intended values', () => {
    const task = read(plan.text);
    expect(findFaults(task)).toEqual([]);
    const textOf = (name: string): string | undefined =>
      task.getElementsByTagName(name)[0]?.textContent ?? undefined;
    expect(task.getAttribute('version')).toBe('1.2');
    expect(textOf('UserId')).toBe(given.userName);
    expect(textOf('WorkingDirectory')).toBe(given.home);
    expect(textOf('Arguments')).toContain('"start-all"');
    // The actions are those of this user.
    expect(task.getElementsByTagName('Actions')[0]?.getAttribute('Context')).toBe(
      task.getElementsByTagName('Principal')[0]?.getAttribute('id'),
    );
    expect(plan.text).toMatch(/^<\?xml version="1\.0" encoding="UTF-16"\?>\r\n/);
  });

  it('would be reported with an unknown word or value', () => {
    const change = (from: string, to: string): string[] => findFaults(read(plan.text.replaceAll(from, to)));
    expect(change('RunLevel>', 'Level>')).toContain('Level in Principal');
    expect(change('PT1M', '1 minute')).toEqual(['Interval: 1 minute']);
    expect(change('IgnoreNew', 'Ignore')).toEqual(['MultipleInstancesPolicy: Ignore']);
  });
});
