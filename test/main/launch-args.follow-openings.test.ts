import { EventEmitter } from 'node:events';
import { readFileSync } from 'node:fs';
import type { App } from 'electron';
import { beforeEach, describe, expect, it, test } from 'vitest';
import {
  appId,
  hasOpenRequest,
  handleOpenEvents,
  type ProcessStart,
  shouldStartHidden,
  createOpenEventQueue,
} from '../../main/launch-args.ts';

let app: EventEmitter;
let opened: string[];
let schemes: unknown[][];
let prevented: number;

const opener = {
  openLink: (link: string): void => void opened.push(link),
  openFile: (file: string): Promise<boolean> => Promise.resolve(opened.push(file) > 0),
  openArgs: (words: readonly string[]): boolean => words.length > 0 && opened.push(...words) > 0,
};
const start = (argv: readonly string[] = ['/app']): ProcessStart => ({
  argv,
  folder: '/home/ada',
  isDefaultApp: false,
  execPath: '/app',
  openings: createOpenEventQueue(app as unknown as App),
});
const hand = (name: 'open-url' | 'open-file', what: string): void =>
  void app.emit(name, { preventDefault: () => (prevented += 1) }, what);
const follow = (own: ProcessStart): boolean =>
  handleOpenEvents(
    { setAsDefaultProtocolClient: (...given: unknown[]) => schemes.push(given) > 0 },
    opener,
    own,
  );

beforeEach(() => {
  [app, opened, schemes, prevented] = [new EventEmitter(), [], [], 0];
});

describe('links and files from the system', () => {
  it('received before the app is ready are opened once it is, later ones immediately', () => {
    const own = start();
    hand('open-file', '/srv/a.dag.yaml');
    hand('open-url', 'stepwright://dag/a');
    expect(opened).toEqual([]);
    expect(follow(own)).toBe(true);
    expect(opened).toEqual(['/srv/a.dag.yaml', 'stepwright://dag/a']);
    hand('open-url', 'stepwright://dag/b');
    expect(opened.at(-1)).toBe('stepwright://dag/b');
    expect(prevented).toBe(3);
  });

  it('on the command line are opened as well; without either nothing is opened', () => {
    expect(follow(start(['/app', 'stepwright://dag/c']))).toBe(true);
    expect(opened).toEqual(['stepwright://dag/c']);
    expect(follow(start())).toBe(false);
  });

  it('are known before they are opened, so that the first page is the right one', () => {
    expect(hasOpenRequest(start())).toBe(false);
    expect(hasOpenRequest(start(['/app', '--hidden']))).toBe(false);
    expect(hasOpenRequest(start(['/app', 'stepwright://dag/c']))).toBe(true);
    expect(hasOpenRequest(start(['/app', 'a.dag.yaml']))).toBe(true);
    const own = start();
    hand('open-file', '/srv/a.dag.yaml');
    expect(hasOpenRequest(own)).toBe(true);
  });

  it('arrive through our scheme, for which Windows needs the program in development', () => {
    follow(start());
    follow({ ...start(['/electron', '/src']), isDefaultApp: true, execPath: '/electron' });
    expect(schemes).toEqual([['stepwright'], ['stepwright', '/electron', ['/src']]]);
  });
});

test.each([
  ['linux', ['/app', '--hidden'], false, true],
  ['linux', ['/app'], true, false],
  ['win32', ['/app', '--hidden'], false, true],
  ['darwin', ['/app'], true, true],
  ['darwin', ['/app'], false, false],
] as const)('on %s %j, opened at login: %j, starts hidden: %j', (platform, argv, atLogin, hidden) => {
  expect(shouldStartHidden({ argv, platform, wasOpenedAtLogin: () => atLogin })).toBe(hidden);
});

test('Windows identifies the app by the name of its package', () => {
  expect(readFileSync('electron-builder.yml', 'utf8')).toContain(`appId: ${appId}\n`);
});
