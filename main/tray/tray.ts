import type { Menu, MenuItemConstructorOptions, NativeImage, Tray } from 'electron';
import { emptyPicture, stateOf, summarize, type TrayPicture, type TrayState } from './tray-picture.ts';
import { trayMenu, type DesktopActions } from './tray-menu.ts';

/** What the tray needs of Electron. */
export interface TrayParts {
  createTray(image: NativeImage): Tray;
  /** The icon of a state. */
  image(state: TrayState): NativeImage;
  buildMenu(template: MenuItemConstructorOptions[]): Menu;
  /** A time to come, in a few letters. */
  tellTime(iso: string): string;
  readonly actions: DesktopActions;
  reportFailure(what: string, thrown: unknown): void;
}

/**
 * The icon that stays when the window is closed. On Linux the menu must be set again after every change; that is
 * done only when something that it shows has changed. A desktop without a place for it has none.
 */
export class AppTray {
  readonly #parts: TrayParts;
  readonly #tray: Tray | undefined;
  #menu: Menu | undefined;
  #state: TrayState = 'idle';
  #shown = '';

  constructor(parts: TrayParts) {
    this.#parts = parts;
    try {
      this.#tray = parts.createTray(parts.image('idle'));
      this.#tray.on('click', () => parts.actions.open());
    } catch (thrown) {
      parts.reportFailure('The desktop tray is not available', thrown);
    }
    this.show(emptyPicture);
  }

  /** Whether there is an icon, as far as the app can know: some desktops take one and show none. */
  get exists(): boolean {
    return this.#tray !== undefined;
  }

  /** The menu as last set; Electron itself does not give it back. */
  get menu(): Menu | undefined {
    return this.#menu;
  }

  get state(): TrayState {
    return this.#state;
  }

  show(picture: TrayPicture): void {
    if (this.#tray === undefined || this.#tray.isDestroyed()) return;
    const { actions, buildMenu, image, tellTime } = this.#parts;
    const template = trayMenu(picture, actions, tellTime);
    const shown = JSON.stringify([template, summarize(picture)]);
    if (shown === this.#shown) return;
    this.#shown = shown;
    this.#menu = buildMenu(template);
    this.#tray.setContextMenu(this.#menu);
    this.#tray.setToolTip(`Stepwright: ${summarize(picture).toLowerCase()}`);
    const state = stateOf(picture);
    if (state === this.#state) return;
    this.#state = state;
    this.#tray.setImage(image(state));
  }

  destroy(): void {
    this.#tray?.destroy();
  }
}
