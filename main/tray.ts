import path from 'node:path';
import type { NativeImage, Menu, MenuItemConstructorOptions, Tray } from 'electron';
import {
  type TrayState,
  emptyTrayContent,
  getTrayState,
  summarize,
  type TrayContent,
  trayMenu,
  type DesktopActions,
} from './tray-menu.ts';

const dayMs = 86_400_000;

/** Formats a future time in the machine's time zone: `14:30`, or on another day `Fri 14:30`. */
export function formatTime(iso: string, now: number): string {
  const at = new Date(iso);
  const time = at.toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' });
  if (at.toDateString() === new Date(now).toDateString()) return time;
  const isNear = at.getTime() - now < 6 * dayMs;
  const day = at.toLocaleDateString(
    'en-GB',
    isNear ? { weekday: 'short' } : { day: 'numeric', month: 'short' },
  );
  return `${day} ${time}`;
}

/**
 * Returns the tray icon of a state. On macOS it is a black template, which the system colors; Electron finds
 * the `@2x` files for high-density screens by itself.
 */
export function trayImage(
  images: { createFromPath(file: string): NativeImage },
  folder: string,
  state: TrayState,
  platform: NodeJS.Platform,
): NativeImage {
  const isTemplate = platform === 'darwin';
  const image = images.createFromPath(path.join(folder, `tray-${state}${isTemplate ? 'Template' : ''}.png`));
  if (isTemplate) image.setTemplateImage(true);
  return image;
}

/** Dependencies of the tray. */
export interface TrayOptions {
  createTray(image: NativeImage): Tray;
  /** Returns the icon of a state. */
  image(state: TrayState): NativeImage;
  buildMenu(template: MenuItemConstructorOptions[]): Menu;
  /** Formats a future time briefly. */
  formatTime(iso: string): string;
  readonly actions: DesktopActions;
  reportFailure(what: string, error: unknown): void;
}

/**
 * The tray icon, which stays when the window is closed. On Linux the menu must be replaced for every change, so
 * that is only done when its contents have changed. A desktop without a tray has none.
 */
export class AppTray {
  readonly #options: TrayOptions;
  readonly #tray: Tray | undefined;
  #menu: Menu | undefined;
  #state: TrayState = 'idle';
  #shown = '';

  constructor(options: TrayOptions) {
    this.#options = options;
    try {
      this.#tray = options.createTray(options.image('idle'));
      this.#tray.on('click', () => options.actions.open());
    } catch (error) {
      options.reportFailure('The desktop tray is not available', error);
    }
    this.show(emptyTrayContent);
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

  show(content: TrayContent): void {
    if (this.#tray === undefined || this.#tray.isDestroyed()) return;
    const { actions, buildMenu, image } = this.#options;
    const template = trayMenu(content, actions, this.#options.formatTime);
    const shown = JSON.stringify([template, summarize(content)]);
    if (shown === this.#shown) return;
    this.#shown = shown;
    this.#menu = buildMenu(template);
    this.#tray.setContextMenu(this.#menu);
    this.#tray.setToolTip(`Stepwright: ${summarize(content).toLowerCase()}`);
    const state = getTrayState(content);
    if (state === this.#state) return;
    this.#state = state;
    this.#tray.setImage(image(state));
  }

  destroy(): void {
    this.#tray?.destroy();
  }
}
