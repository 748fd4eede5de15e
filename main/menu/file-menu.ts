import type { MenuItemConstructorOptions } from 'electron';
import { pauseMenu, type DesktopActions } from '../tray/tray-menu.ts';
import type { MenuFile } from './application-menu.ts';

/** Actions of the "File" menu. */
export interface FileActions extends Pick<DesktopActions, 'search' | 'pause' | 'resume'> {
  newWorkflow(): void;
  openFile(): void;
  openRecent(file: string): void;
  clearRecent(): void;
  /** Saves a copy of the shown workflow or run. */
  exportShown(): void;
}

type Item = MenuItemConstructorOptions;

/** @param last items at the end, on systems without an application menu */
export function fileMenu(actions: FileActions, recent: readonly MenuFile[], last: readonly Item[]): Item {
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
