import type { MenuItemConstructorOptions } from 'electron';
import { app } from '../app/app.ts';
import type { BrowserWindow } from '../windows/browser-window.ts';

export type MenuRole = NonNullable<MenuItemConstructorOptions['role']>;

/** What Electron adds to an item with only a role. */
export interface RoleDefaults {
  readonly label: string;
  readonly accelerator?: string;
  readonly submenu?: readonly MenuItemConstructorOptions[];
  /** The click action; roles of the menu bar itself have none. */
  readonly run?: (window: BrowserWindow | null) => void;
}

const separator: MenuItemConstructorOptions = { type: 'separator' };

/** The roles supported by the stand-in, with Electron's labels and accelerators on Linux. */
const ROLES: Partial<Record<MenuRole, RoleDefaults>> = {
  about: { label: `About ${app.name}`, run: () => app.showAboutPanel() },
  quit: { label: 'Quit', accelerator: 'CommandOrControl+Q', run: () => app.quit() },
  close: { label: 'Close Window', accelerator: 'CommandOrControl+W', run: (window) => window?.close() },
  minimize: { label: 'Minimize', accelerator: 'CommandOrControl+M', run: (window) => window?.minimize() },
  zoom: { label: 'Zoom', run: (window) => toggleMaximized(window) },
  togglefullscreen: {
    label: 'Toggle Full Screen',
    accelerator: 'F11',
    run: (window) => window?.setFullScreen(!window.isFullScreen()),
  },
  reload: {
    label: 'Reload',
    accelerator: 'CommandOrControl+R',
    run: (window) => window?.webContents.reload(),
  },
  forceReload: {
    label: 'Force Reload',
    accelerator: 'Shift+CommandOrControl+R',
    run: (window) => window?.webContents.reloadIgnoringCache(),
  },
  toggleDevTools: {
    label: 'Toggle Developer Tools',
    accelerator: 'Ctrl+Shift+I',
    run: (window) => window?.webContents.toggleDevTools(),
  },
  resetZoom: { label: 'Actual Size', accelerator: 'CommandOrControl+0', run: (window) => zoom(window, 0) },
  zoomIn: { label: 'Zoom In', accelerator: 'CommandOrControl+Plus', run: (window) => zoom(window, 0.5) },
  zoomOut: { label: 'Zoom Out', accelerator: 'CommandOrControl+-', run: (window) => zoom(window, -0.5) },
  undo: { label: 'Undo', accelerator: 'CommandOrControl+Z', run: (window) => window?.webContents.undo() },
  redo: {
    label: 'Redo',
    accelerator: 'Shift+CommandOrControl+Z',
    run: (window) => window?.webContents.redo(),
  },
  cut: { label: 'Cut', accelerator: 'CommandOrControl+X', run: (window) => window?.webContents.cut() },
  copy: { label: 'Copy', accelerator: 'CommandOrControl+C', run: (window) => window?.webContents.copy() },
  paste: { label: 'Paste', accelerator: 'CommandOrControl+V', run: (window) => window?.webContents.paste() },
  pasteAndMatchStyle: {
    label: 'Paste and Match Style',
    accelerator: 'Shift+CommandOrControl+V',
    run: (window) => window?.webContents.pasteAndMatchStyle(),
  },
  delete: { label: 'Delete', run: (window) => window?.webContents.delete() },
  selectAll: {
    label: 'Select All',
    accelerator: 'CommandOrControl+A',
    run: (window) => window?.webContents.selectAll(),
  },
  window: { label: 'Window' },
  help: { label: 'Help' },
  appMenu: { label: app.name, submenu: [{ role: 'about' }, separator, { role: 'quit' }] },
  fileMenu: { label: 'File', submenu: [{ role: 'quit' }] },
  editMenu: {
    label: 'Edit',
    submenu: [
      { role: 'undo' },
      { role: 'redo' },
      separator,
      { role: 'cut' },
      { role: 'copy' },
      { role: 'paste' },
      { role: 'delete' },
      separator,
      { role: 'selectAll' },
    ],
  },
  viewMenu: {
    label: 'View',
    submenu: [
      { role: 'reload' },
      { role: 'forceReload' },
      { role: 'toggleDevTools' },
      separator,
      { role: 'resetZoom' },
      { role: 'zoomIn' },
      { role: 'zoomOut' },
      separator,
      { role: 'togglefullscreen' },
    ],
  },
  windowMenu: { label: 'Window', submenu: [{ role: 'minimize' }, { role: 'zoom' }, { role: 'close' }] },
};

/** Defaults of a role. Roles of other platforms have none. */
export function findRoleDefaults(role: MenuRole | undefined): RoleDefaults | undefined {
  return role && ROLES[role];
}

function toggleMaximized(window: BrowserWindow | null): void {
  if (window?.isMaximized()) window.unmaximize();
  else window?.maximize();
}

/** @param step 0 resets to the actual size */
function zoom(window: BrowserWindow | null, step: number): void {
  const contents = window?.webContents;
  contents?.setZoomLevel(step === 0 ? 0 : contents.getZoomLevel() + step);
}
