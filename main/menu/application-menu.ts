import type { MenuItemConstructorOptions } from 'electron';
import type { DesktopActions } from '../tray/tray-menu.ts';
import { fileMenu, type FileActions } from './file-menu.ts';

type Item = MenuItemConstructorOptions;

/** Actions of the application menu. */
export interface MenuActions
  extends FileActions, Pick<DesktopActions, 'search' | 'pause' | 'resume' | 'quit'> {
  /** Shows the window, at an address such as `#/runs`. */
  open(hash: string): void;
}

/** A recent file. */
export interface MenuFile {
  readonly path: string;
  readonly name: string;
}

const separator: Item = { type: 'separator' };

/**
 * Builds the application menu. macOS shows it; elsewhere it provides the shortcuts and opens with Alt. It
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
