/**
 * The stand-in's `electron` module for the main process: the part of Electron's API that a thin main process
 * uses. Missing exports fail at import; a missing member of a module throws when it is read.
 */
export { app } from './app/app.ts';
export { clipboard } from './desktop/clipboard.ts';
export { dialog } from './desktop/dialog.ts';
export { globalShortcut } from './desktop/global-shortcut.ts';
export { Menu, MenuItem } from './desktop/menu.ts';
export { nativeImage } from './desktop/native-image.ts';
export { nativeTheme } from './desktop/native-theme.ts';
export { Notification } from './desktop/notification.ts';
export { powerMonitor, powerSaveBlocker } from './desktop/power.ts';
export { safeStorage } from './desktop/safe-storage.ts';
export { screen } from './desktop/screen.ts';
export { shell } from './desktop/shell.ts';
export { Tray } from './desktop/tray.ts';
export { ipcMain } from './ipc/ipc-main.ts';
export { utilityProcess } from './processes/utility-process.ts';
export { net } from './protocol/net.ts';
export { protocol, session } from './protocol/session.ts';
export { BrowserWindow } from './windows/browser-window.ts';
export { webContents } from './windows/web-contents.ts';
