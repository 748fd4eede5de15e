import { EventEmitter } from 'node:events';
import type { Menu, MenuItemConstructorOptions, Tray } from 'electron';
import { beforeEach, expect, test } from 'vitest';
import { AppTray, type TrayPicture } from '../../../main/shell/tray.ts';

class FakeTray extends EventEmitter {
  menus = 0;
  toolTip = '';
  destroyed = false;
  setContextMenu(): void {
    this.menus += 1;
  }
  setToolTip(text: string): void {
    this.toolTip = text;
  }
  destroy(): void {
    this.destroyed = true;
  }
  isDestroyed(): boolean {
    return this.destroyed;
  }
}

let fake: FakeTray;
let tray: AppTray;
let template: MenuItemConstructorOptions[];
let opened: (string | undefined)[];
let quits: number;

beforeEach(() => {
  fake = new FakeTray();
  opened = [];
  quits = 0;
  tray = new AppTray({
    createTray: () => fake as unknown as Tray,
    buildMenu: (given) => {
      template = given;
      return {} as Menu;
    },
    open: (hash) => opened.push(hash),
    quit: () => (quits += 1),
  });
});

const labels = (): (string | undefined)[] =>
  template.map((item) => (item.type === 'separator' ? '-' : item.label));
const click = (id: string): void => {
  const item = template.find((each) => each.id === id);
  (item!.click as () => void)();
};
const picture = (given: Partial<TrayPicture>): TrayPicture => ({
  running: [],
  more: false,
  recent: [],
  ...given,
});
const run = (dagRunId: string, status: string) => ({ name: 'etl', dagRunId, status });

test('idle: open, that nothing runs, quit', () => {
  expect(labels()).toEqual(['Open Stepwright', '-', 'Nothing is running', '-', 'Quit']);
  expect(fake.toolTip).toBe('Stepwright: nothing is running');
});

test('running and ended runs are listed with their status in words', () => {
  tray.show(picture({ running: [run('1', 'running')], recent: [run('0', 'partially_succeeded')] }));
  expect(labels()).toEqual([
    'Open Stepwright',
    '-',
    '1 running',
    'etl: running',
    '-',
    'Last runs',
    'etl: partially succeeded',
    '-',
    'Quit',
  ]);
  expect(fake.toolTip).toBe('Stepwright: 1 running');
});

test('every menu is set again, because an item that changes is not shown on some desktops', () => {
  const before = fake.menus;
  tray.show(picture({ running: [run('1', 'running')] }));
  expect(fake.menus).toBe(before + 1);
});

test('many runs are counted, and only some are listed', () => {
  const running = Array.from({ length: 25 }, (_, index) => run(`r${index}`, 'running'));
  tray.show(picture({ running, more: true }));
  expect(labels()).toContain('More than 25 running');
  expect(labels().filter((label) => label === 'etl: running')).toHaveLength(10);
});

test('the ids of the items are distinct, also for a run that has just ended', () => {
  tray.show(picture({ running: [run('1', 'running')], recent: [run('1', 'succeeded')] }));
  const ids = template.map(({ id }) => id).filter((id) => id !== undefined);
  expect(new Set(ids).size).toBe(ids.length);
});

test('the items open the window, a run in it, and quit; a click on the icon opens it too', () => {
  tray.show(picture({ running: [{ name: 'a b/c', dagRunId: '1', status: 'running' }] }));
  click('open');
  click('running:1');
  fake.emit('click');
  expect(opened).toEqual([undefined, '#/runs/a%20b%2Fc/1', undefined]);
  click('quit');
  expect(quits).toBe(1);
});

test('a picture that comes after the tray has gone is ignored', () => {
  const before = fake.menus;
  tray.destroy();
  tray.show(picture({ running: [run('1', 'running')] }));
  expect(fake.menus).toBe(before);
});
