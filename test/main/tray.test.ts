import { EventEmitter } from 'node:events';
import type { Menu, MenuItemConstructorOptions, NativeImage, Tray } from 'electron';
import { beforeEach, describe, expect, test } from 'vitest';
import { AppTray } from '../../main/tray.ts';
import { type DesktopActions, emptyTrayContent, type TrayContent } from '../../main/tray-menu.ts';

class FakeTray extends EventEmitter {
  menus = 0;
  toolTip = '';
  image = '';
  destroyed = false;
  setContextMenu(): void {
    this.menus += 1;
  }
  setToolTip(text: string): void {
    this.toolTip = text;
  }
  setImage(image: string): void {
    this.image = image;
  }
  destroy(): void {
    this.destroyed = true;
  }
  isDestroyed(): boolean {
    return this.destroyed;
  }
}

let fake: FakeTray;
let template: MenuItemConstructorOptions[];
let done: string[];

const note =
  (what: string) =>
  (...given: readonly unknown[]): void =>
    void done.push(
      [what, ...given.map((each) => (typeof each === 'string' ? each : JSON.stringify(each)))].join(' '),
    );
const actions: DesktopActions = {
  open: (hash) => note('open')(hash ?? ''),
  search: note('search'),
  start: ({ fileName }) => note('start')(fileName),
  stop: ({ dagRunId }) => note('stop')(dagRunId),
  pause: note('pause'),
  resume: note('resume'),
  quit: note('quit'),
};
const build = (createTray: () => Tray = () => fake as unknown as Tray): AppTray =>
  new AppTray({
    createTray,
    image: (state) => state as unknown as NativeImage,
    buildMenu: (given) => {
      template = given;
      return {} as Menu;
    },
    formatTime: (iso) => iso.slice(11, 16),
    actions,
    reportFailure: note('report'),
  });
const content = (given: Partial<TrayContent>): TrayContent => ({ ...emptyTrayContent, ...given });
const run = (dagRunId: string, status: string) => ({ name: 'etl', dagRunId, status });

/** Every item, including those of submenus, in order. */
const flatten = (items: readonly MenuItemConstructorOptions[]): MenuItemConstructorOptions[] =>
  items.flatMap((item) => [item, ...flatten((item.submenu ?? []) as MenuItemConstructorOptions[])]);
const labels = (): (string | undefined)[] =>
  template.map((item) => (item.type === 'separator' ? '-' : item.label));
const click = (id: string): void => {
  const item = flatten(template).find((each) => each.id === id);
  (item!.click as () => void)();
};

let tray: AppTray;
beforeEach(() => {
  fake = new FakeTray();
  done = [];
  tray = build();
});

describe('the tray menu', () => {
  test('of an idle home: open, start, no active runs, pause, quit', () => {
    expect(labels()).toEqual([
      'Open Stepwright',
      'Run workflow',
      '-',
      'No active runs',
      '-',
      'Pause schedules',
      '-',
      'Quit',
    ]);
    expect(fake.toolTip).toBe('Stepwright: no active runs');
  });

  test('contains every action, since the icon may not receive clicks', () => {
    tray.show(
      content({
        running: [{ name: 'a b/c', dagRunId: '1', status: 'running', progress: '3 of 8 steps' }],
        recent: [run('0', 'partially_succeeded')],
        next: [{ fileName: 'nightly', name: 'Nightly', at: '2026-01-01T02:30:00Z' }],
        favourites: [{ fileName: 'fav', name: 'Fav' }],
        started: [{ fileName: 'last', name: 'Last' }],
        queues: [{ name: 'slow', state: 'paused', running: 1, waiting: 3 }],
      }),
    );
    expect(labels()).toEqual(
      expect.arrayContaining([
        '1 running',
        'a b/c: 3 of 8 steps',
        'etl: partially succeeded',
        '02:30 Nightly',
        'slow: 1 active, 3 queued, paused',
      ]),
    );
    for (const id of [
      ...['open', 'favourite:fav', 'started:last', 'search', 'show:1', 'stop:1', 'recent:0'],
      ...['next:nightly', 'queue:slow', 'pause-hour', 'pause-tomorrow', 'pause-resumed', 'quit'],
    ])
      click(id);
    expect(done).toEqual([
      'open ',
      'start fav',
      'start last',
      'search',
      'open #/runs/a%20b%2Fc/1',
      'stop 1',
      'open #/runs/etl/0',
      'open #/dags/nightly',
      'open #/queues',
      'pause hour',
      'pause tomorrow',
      'pause resumed',
      'quit',
    ]);
  });

  test('leads to the schedule if no scheduler would start the upcoming runs', () => {
    const next = [{ fileName: 'nightly', name: 'Nightly', at: '2026-01-01T02:30:00Z' }];
    tray.show(content({ isSchedulerStopped: true, next }));
    click('scheduler');
    expect(done).toEqual(['open #/schedule']);
    tray.show(content({ isSchedulerStopped: false, next }));
    expect(flatten(template).map(({ id }) => id)).not.toContain('scheduler');
  });

  test('offers to resume a pause, and shows its end', () => {
    tray.show(content({ pausedUntil: '2026-01-01T18:00:00Z' }));
    expect(labels()).toEqual(expect.arrayContaining(['Schedules paused until 18:00', 'Resume schedules']));
    click('resume');
    expect(done).toEqual(['resume']);
    tray.show(content({ pausedUntil: '' }));
    expect(labels()).toContain('Schedules paused');
  });

  test('counts many runs and lists some', () => {
    const running = Array.from({ length: 25 }, (_, index) => run(`r${index}`, 'running'));
    tray.show(content({ running, more: true }));
    expect(labels()).toContain('More than 25 running');
    expect(labels().filter((label) => label === 'etl: running')).toHaveLength(10);
  });

  test('has unique ids, also for a run that has just finished', () => {
    tray.show(content({ running: [run('1', 'running')], recent: [run('1', 'succeeded')] }));
    const ids = flatten(template).flatMap(({ id }) => (id === undefined ? [] : [id]));
    expect(new Set(ids).size).toBe(ids.length);
  });
});

test('the menu is only rebuilt when something it shows has changed', () => {
  const before = fake.menus;
  tray.show(content({ running: [run('1', 'running')] }));
  tray.show(content({ running: [run('1', 'running')] }));
  expect(fake.menus).toBe(before + 1);
  tray.show(content({ running: [{ ...run('1', 'running'), progress: '1 of 2 steps' }] }));
  expect(fake.menus).toBe(before + 2);
});

test.each([
  [{}, 'idle'],
  [{ running: [run('1', 'running')] }, 'running'],
  [{ pausedUntil: '' }, 'paused'],
  [{ pausedUntil: '', running: [run('1', 'running')] }, 'running'],
  [{ failed: 2, running: [run('1', 'running')] }, 'failed'],
] as const)('the icon for %j is %s', (given, state) => {
  tray.show(content({ failed: 1 }));
  tray.show(content(given));
  expect([tray.state, fake.image]).toEqual([state, state]);
});

test('a click on the icon also opens the window', () => {
  fake.emit('click');
  expect(done).toEqual(['open ']);
});

test('an update after the tray was removed is ignored', () => {
  const before = fake.menus;
  tray.destroy();
  tray.show(content({ running: [run('1', 'running')] }));
  expect(fake.menus).toBe(before);
});

test('a desktop without tray support has no icon, without errors', () => {
  const without = build(() => {
    throw new Error('no tray');
  });
  without.show(content({ failed: 1 }));
  expect(without.exists).toBe(false);
  expect(done).toEqual([expect.stringContaining('report The desktop tray is not available')]);
  without.destroy();
});
