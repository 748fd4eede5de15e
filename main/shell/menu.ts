import type { MenuItemConstructorOptions } from 'electron';

import { pauseMenu, type DesktopActions } from '../tray/tray-menu.ts';

/**
 * The application menu; macOS shows it, elsewhere it carries the shortcuts and is reached with Alt. What the tray
 * offers is here as well, for desktops without one.
 */
export function applicationMenu(
  parts: Pick<DesktopActions, 'open' | 'search' | 'pause' | 'resume' | 'quit'>,
): MenuItemConstructorOptions[] {
  return [
    {
      label: 'Stepwright',
      submenu: [
        { id: 'about', role: 'about' },
        { type: 'separator' },
        {
          id: 'start-workflow',
          label: 'Start a Workflow…',
          accelerator: 'CmdOrCtrl+Shift+R',
          click: () => parts.search(),
        },
        { id: 'pause-schedules', label: 'Pause Schedules', submenu: pauseMenu(parts) },
        { id: 'resume-schedules', label: 'Resume Schedules', click: () => parts.resume() },
        { type: 'separator' },
        { role: 'close' },
        { id: 'quit', label: 'Quit', accelerator: 'CmdOrCtrl+Q', click: () => parts.quit() },
      ],
    },
    { role: 'editMenu' },
    {
      label: 'View',
      submenu: [
        {
          id: 'view-workflows',
          label: 'Workflows',
          accelerator: 'CmdOrCtrl+1',
          click: () => parts.open('#/dags'),
        },
        { id: 'view-runs', label: 'Runs', accelerator: 'CmdOrCtrl+2', click: () => parts.open('#/runs') },
        { type: 'separator' },
        { role: 'resetZoom' },
        { role: 'zoomIn' },
        { role: 'zoomOut' },
        { role: 'togglefullscreen' },
        { role: 'toggleDevTools' },
      ],
    },
    { role: 'windowMenu' },
  ];
}
