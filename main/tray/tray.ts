import type { Menu, MenuItemConstructorOptions, NativeImage, Tray } from 'electron';
import { emptyPicture, stateOf, summarize, type TrayPicture, type TrayState } from './tray-picture.ts';
import { trayMenu, type DesktopActions } from './tray-menu.ts';

/** Dependencies of the tray. */
export interface TrayParts {
  createTray(image: NativeImage): Tray;
  /** Returns the icon of a state. */
  image(state: TrayState): NativeImage;
  buildMenu(template: MenuItemConstructorOptions[]): Menu;
  /** Formats a future time briefly. */
  tellTime(iso: string): string;
  readonly actions: DesktopActions;
  reportFailure(what: string, thrown: unknown): void;
}

/**
 * The tray icon, which stays when the window is closed. On Linux the menu must be replaced for every change, so
 * that is only done when its contents have changed. A desktop without a tray has none.
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

  /** Whether there is an icon, as far as known: some desktops accept one without showing it. */
  get exists(): boolean {
    return this.#tray !== undefined;
  }

  /** The current menu, which Electron does not return. */
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
