import type { MenuItemConstructorOptions } from 'electron';

/** The application menu; macOS shows it, elsewhere it carries the shortcuts. */
export function applicationMenu(parts: {
  open(hash: string): void;
  quit(): void;
}): MenuItemConstructorOptions[] {
  return [
    {
      label: 'Stepwright',
      submenu: [
        { id: 'about', role: 'about' },
        { type: 'separator' },
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
          click: () => parts.open('#/'),
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
