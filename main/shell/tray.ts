import type { Menu, MenuItemConstructorOptions, Tray } from 'electron';

/** What the tray needs of Electron. */
export interface TrayParts {
  createTray(): Tray;
  buildMenu(template: MenuItemConstructorOptions[]): Menu;
  open(hash?: string): void;
  quit(): void;
}

/** A run as the tray shows it. */
export interface TrayRun {
  readonly name: string;
  readonly dagRunId: string;
  readonly status: string;
}

/** What the tray shows. */
export interface TrayPicture {
  readonly running: readonly TrayRun[];
  readonly recent: readonly TrayRun[];
}

/**
 * The icon that stays when the window is closed. Everything is in the menu: `click` never comes on
 * some Linux desktops, and the menu must be set again after every change there.
 */
export class AppTray {
  readonly #parts: TrayParts;
  readonly #tray: Tray;
  #menu: Menu | undefined;

  constructor(parts: TrayParts) {
    this.#parts = parts;
    this.#tray = parts.createTray();
    this.#tray.on('click', () => parts.open());
    this.show({ running: [], recent: [] });
  }

  /** The menu as last set; Electron itself does not give it back. */
  get menu(): Menu | undefined {
    return this.#menu;
  }

  show({ running, recent }: TrayPicture): void {
    const summary = running.length === 0 ? 'Nothing is running' : `${running.length} running`;
    this.#menu = this.#parts.buildMenu([
      { id: 'open', label: 'Open Stepwright', click: () => this.#parts.open() },
      { type: 'separator' },
      { id: 'summary', label: summary, enabled: false },
      ...running.map((run) => this.#runItem(run)),
      ...(recent.length === 0
        ? []
        : [{ type: 'separator' as const }, { label: 'Last runs', enabled: false }]),
      ...recent.map((run) => this.#runItem(run)),
      { type: 'separator' },
      { id: 'quit', label: 'Quit', click: () => this.#parts.quit() },
    ]);
    this.#tray.setContextMenu(this.#menu);
    this.#tray.setToolTip(`Stepwright: ${summary.toLowerCase()}`);
  }

  destroy(): void {
    this.#tray.destroy();
  }

  #runItem({ name, dagRunId, status }: TrayRun): MenuItemConstructorOptions {
    const hash = `#/runs/${encodeURIComponent(name)}/${encodeURIComponent(dagRunId)}`;
    return {
      id: `run:${dagRunId}`,
      label: `${name}: ${status.replaceAll('_', ' ')}`,
      click: () => this.#parts.open(hash),
    };
  }
}
