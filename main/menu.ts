import type { MenuItemConstructorOptions } from 'electron';
import { pauseMenu, type DesktopActions } from './tray-menu.ts';

/** Actions of the "File" menu. */
interface FileActions extends Pick<DesktopActions, 'search' | 'pause' | 'resume'> {
  newWorkflow(): void;
  openFile(): void;
  openRecent(file: string): void;
  clearRecent(): void;
  /** Saves a copy of the shown workflow or run. */
  exportShown(): void;
}

type Item = MenuItemConstructorOptions;

/** @param last items at the end, on systems without an application menu */
function fileMenu(actions: FileActions, recent: readonly MenuFile[], last: readonly Item[]): Item {
  return {
    id: 'file',
    label: 'File',
    submenu: [
      item('new-workflow', 'New Workflow', 'CmdOrCtrl+N', () => actions.newWorkflow()),
      item('open-file', 'Open…', 'CmdOrCtrl+O', () => actions.openFile()),
      recentMenu(actions, recent),
      item('export', 'Export…', 'CmdOrCtrl+Shift+E', () => actions.exportShown()),
      { type: 'separator' },
      item('start-workflow', 'Run Workflow…', 'CmdOrCtrl+Shift+R', () => actions.search()),
      { id: 'pause-schedules', label: 'Pause Schedules', submenu: pauseMenu(actions) },
      { id: 'resume-schedules', label: 'Resume Schedules', click: () => actions.resume() },
      { type: 'separator' },
      { role: 'close' },
      ...last,
    ],
  };
}

const item = (id: string, label: string, accelerator: string, click: () => void): Item => ({
  id,
  label,
  accelerator,
  click,
});

function recentMenu(actions: FileActions, recent: readonly MenuFile[]): Item {
  return {
    id: 'open-recent',
    label: 'Open Recent',
    enabled: recent.length > 0,
    submenu: [
      ...recent.map((file) => ({
        id: `recent-file:${file.path}`,
        // A single ampersand would underline the next letter.
        label: file.name.replaceAll('&', '&&'),
        toolTip: file.path,
        click: () => actions.openRecent(file.path),
      })),
      { type: 'separator' },
      { id: 'clear-recent', label: 'Clear Menu', click: () => actions.clearRecent() },
    ],
  };
}

/** Actions of the application menu. */
export interface MenuActions
  extends FileActions, Pick<DesktopActions, 'search' | 'pause' | 'resume' | 'quit'> {
  /** Opens the window at an address such as `#/runs`. */
  open(hash: string): void;
}

/** A recent file. */
export interface MenuFile {
  readonly path: string;
  readonly name: string;
}

const separator: Item = { type: 'separator' };

/**
 * Builds the application menu. macOS displays it; elsewhere it provides the shortcuts and opens with Alt. It
 * includes the items of the tray, for desktops without one.
 */
export function applicationMenu(
  actions: MenuActions,
  recent: readonly MenuFile[],
  platform: NodeJS.Platform,
): Item[] {
  const isMac = platform === 'darwin';
  return [
    ...(isMac ? [macMenu(actions)] : []),
    fileMenu(actions, recent, isMac ? [] : [separator, settingsItem(actions), separator, quitItem(actions)]),
    { role: 'editMenu' },
    viewMenu(actions),
    { role: 'windowMenu' },
    ...(isMac ? [] : [{ role: 'help', submenu: [{ id: 'about', role: 'about' }] } satisfies Item]),
  ];
}

/** The standard application menu on macOS. */
const macMenu = (actions: MenuActions): Item => ({
  label: 'Stepwright',
  submenu: [
    { id: 'about', role: 'about' },
    separator,
    settingsItem(actions),
    separator,
    { role: 'services' },
    separator,
    { role: 'hide' },
    { role: 'hideOthers' },
    { role: 'unhide' },
    separator,
    quitItem(actions),
  ],
});

const settingsItem = ({ open }: MenuActions): Item => ({
  id: 'settings',
  label: 'Settings…',
  accelerator: 'CmdOrCtrl+,',
  click: () => open('#/settings'),
});

/** Not by its role: quitting asks for confirmation while runs are active, and has the same label everywhere. */
const quitItem = ({ quit }: MenuActions): Item => ({
  id: 'quit',
  label: 'Quit Stepwright',
  accelerator: 'CmdOrCtrl+Q',
  click: () => quit(),
});

const viewMenu = ({ open }: MenuActions): Item => ({
  label: 'View',
  submenu: [
    { id: 'view-workflows', label: 'Workflows', accelerator: 'CmdOrCtrl+1', click: () => open('#/dags') },
    { id: 'view-runs', label: 'Runs', accelerator: 'CmdOrCtrl+2', click: () => open('#/runs') },
    { id: 'view-queues', label: 'Queues', accelerator: 'CmdOrCtrl+3', click: () => open('#/queues') },
    { id: 'view-schedule', label: 'Schedule', accelerator: 'CmdOrCtrl+4', click: () => open('#/schedule') },
    separator,
    { role: 'resetZoom' },
    { role: 'zoomIn' },
    { role: 'zoomOut' },
    { role: 'togglefullscreen' },
    { role: 'toggleDevTools' },
  ],
});

/** The application menu, rebuilt when the recent files change. */
export class AppMenu {
  /** Replaces the previous menu; items cannot be added to an existing one. */
  readonly #set: (template: MenuItemConstructorOptions[]) => void;
  readonly #recent: () => readonly MenuFile[];
  readonly #actions: MenuActions;
  readonly #platform: NodeJS.Platform;
  #shown: string | undefined;

  constructor(
    set: (template: MenuItemConstructorOptions[]) => void,
    recent: () => readonly MenuFile[],
    actions: MenuActions,
    platform: NodeJS.Platform,
  ) {
    this.#set = set;
    this.#recent = recent;
    this.#actions = actions;
    this.#platform = platform;
  }

  refresh(): void {
    const recent = this.#recent();
    const serialized = JSON.stringify(recent);
    if (serialized === this.#shown) return;
    this.#shown = serialized;
    this.#set(applicationMenu(this.#actions, recent, this.#platform));
  }
}
