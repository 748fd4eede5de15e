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
  /** Whether more are running than `running` lists. */
  readonly more: boolean;
  readonly recent: readonly TrayRun[];
}

/** A menu must fit on the screen. */
const runningShown = 10;

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
    this.show({ running: [], more: false, recent: [] });
  }

  /** The menu as last set; Electron itself does not give it back. */
  get menu(): Menu | undefined {
    return this.#menu;
  }

  show(picture: TrayPicture): void {
    if (this.#tray.isDestroyed()) return;
    const summary = summarize(picture);
    this.#menu = this.#parts.buildMenu([
      { id: 'open', label: 'Open Stepwright', click: () => this.#parts.open() },
      { type: 'separator' },
      { id: 'summary', label: summary, enabled: false },
      ...this.#runItems('running', picture.running.slice(0, runningShown)),
      ...this.#recentSection(picture.recent),
      { type: 'separator' },
      { id: 'quit', label: 'Quit', click: () => this.#parts.quit() },
    ]);
    this.#tray.setContextMenu(this.#menu);
    this.#tray.setToolTip(`Stepwright: ${summary.toLowerCase()}`);
  }

  destroy(): void {
    this.#tray.destroy();
  }

  #recentSection(recent: readonly TrayRun[]): MenuItemConstructorOptions[] {
    if (recent.length === 0) return [];
    return [
      { type: 'separator' },
      { label: 'Last runs', enabled: false },
      ...this.#runItems('recent', recent),
    ];
  }

  #runItems(kind: string, runs: readonly TrayRun[]): MenuItemConstructorOptions[] {
    return runs.map(({ name, dagRunId, status }) => ({
      id: `${kind}:${dagRunId}`,
      label: `${name}: ${status.replaceAll('_', ' ')}`,
      click: () => this.#parts.open(`#/runs/${encodeURIComponent(name)}/${encodeURIComponent(dagRunId)}`),
    }));
  }
}

function summarize({ running, more }: TrayPicture): string {
  if (running.length === 0) return 'Nothing is running';
  return `${more ? 'More than ' : ''}${running.length} running`;
}
