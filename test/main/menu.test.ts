import type { MenuItemConstructorOptions } from 'electron';
import { beforeEach, describe, expect, it, test } from 'vitest';
import { AppMenu, applicationMenu, type MenuActions, type MenuFile } from '../../main/menu.ts';

type Item = MenuItemConstructorOptions;
let done: unknown[][];

const note =
  (what: string) =>
  (...given: unknown[]): void =>
    void done.push([what, ...given]);
const actions: MenuActions = {
  open: note('open'),
  search: note('search'),
  pause: note('pause'),
  resume: note('resume'),
  quit: note('quit'),
  newWorkflow: note('new'),
  openFile: note('open file'),
  openRecent: note('open recent'),
  clearRecent: note('clear recent'),
  exportShown: note('export'),
};
const files: MenuFile[] = [
  { path: '/srv/a.yaml', name: 'a.yaml' },
  { path: '/srv/b&c.yaml', name: 'b&c.yaml' },
];

beforeEach(() => {
  done = [];
});

const all = (items: readonly Item[]): Item[] =>
  items.flatMap((item) => [item, ...(Array.isArray(item.submenu) ? all(item.submenu) : [])]);
const find = (items: readonly Item[], id: string): Item => all(items).find((item) => item.id === id)!;
const click = (items: readonly Item[], id: string): void =>
  (find(items, id).click as unknown as () => void)();
const labels = (items: readonly Item[]): unknown[] => items.map(({ label, role }) => label ?? role);

describe.each(['linux', 'win32', 'darwin'] as const)('on %s', (platform) => {
  const menu = (): Item[] => applicationMenu(actions, files, platform);

  it('has the standard menus', () => {
    expect(labels(menu())).toEqual(
      platform === 'darwin'
        ? ['Stepwright', 'File', 'editMenu', 'View', 'windowMenu']
        : ['File', 'editMenu', 'View', 'windowMenu', 'help'],
    );
    const roles = all(menu()).flatMap(({ role }) => role ?? []);
    const mac = ['about', 'services', 'hide', 'hideOthers', 'unhide', 'close'];
    expect(roles).toEqual(expect.arrayContaining(platform === 'darwin' ? mac : ['about', 'close']));
  });

  it('has unique shortcuts and unique item ids', () => {
    const shortcuts = all(menu()).flatMap(({ accelerator }) => accelerator ?? []);
    expect(new Set(shortcuts).size).toBe(shortcuts.length);
    const ids = all(menu()).flatMap(({ id }) => id ?? []);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it.each([
    ['new-workflow', ['new'], 'CmdOrCtrl+N'],
    ['open-file', ['open file'], 'CmdOrCtrl+O'],
    ['export', ['export'], 'CmdOrCtrl+Shift+E'],
    ['recent-file:/srv/a.yaml', ['open recent', '/srv/a.yaml'], undefined],
    ['clear-recent', ['clear recent'], undefined],
    ['start-workflow', ['search'], 'CmdOrCtrl+Shift+R'],
    ['pause-hour', ['pause', 'hour'], undefined],
    ['resume-schedules', ['resume'], undefined],
    ['settings', ['open', '#/settings'], 'CmdOrCtrl+,'],
    ['view-runs', ['open', '#/runs'], 'CmdOrCtrl+2'],
    ['quit', ['quit'], 'CmdOrCtrl+Q'],
  ])('has %s', (id, expected, accelerator) => {
    click(menu(), id);
    expect(done).toEqual([expected]);
    expect(find(menu(), id).accelerator).toBe(accelerator);
  });
});

it('lists recent files, with escaped ampersands', () => {
  const menu = applicationMenu(actions, files, 'linux');
  expect(find(menu, 'recent-file:/srv/b&c.yaml').label).toBe('b&&c.yaml');
  expect(find(menu, 'open-recent').enabled).toBe(true);
  expect(find(applicationMenu(actions, [], 'linux'), 'open-recent').enabled).toBe(false);
});

test('the menu is rebuilt only when the list changes', () => {
  const made: Item[][] = [];
  let recent: MenuFile[] = [];
  const menu = new AppMenu(
    (template) => void made.push(template),
    () => recent,
    actions,
    'linux',
  );
  menu.refresh();
  menu.refresh();
  expect(made).toHaveLength(1);
  recent = files;
  menu.refresh();
  expect(made).toHaveLength(2);
  expect(find(made[1]!, 'recent-file:/srv/a.yaml').label).toBe('a.yaml');
});
