import { EventEmitter } from 'node:events';
import type { Rectangle } from 'electron';
import { nativeImage, type NativeImage } from './native-image.ts';
import type { Menu } from './menu.ts';

/** Electron's `Tray`: records its state. Electron has no API to find a tray, so the stand-in has none. */
export class Tray extends EventEmitter {
  readonly #guid: string | undefined;
  #title = '';
  #ignoresDoubleClicks = false;
  #destroyed = false;

  /** @throws Error if the image is a path without an image */
  constructor(image: NativeImage | string, guid?: string) {
    super();
    this.#guid = guid;
    requireImage(image);
  }

  setImage(image: NativeImage | string): void {
    requireImage(image);
  }

  setPressedImage(image: NativeImage | string): void {
    requireImage(image);
  }

  setContextMenu(_menu: Menu | null): void {
    this.#requireAlive();
  }

  setToolTip(_toolTip: string): void {
    this.#requireAlive();
  }

  setTitle(title: string): void {
    this.#requireAlive();
    this.#title = title;
  }

  getTitle(): string {
    return this.#title;
  }

  popUpContextMenu(_menu?: Menu): void {
    this.#requireAlive();
  }

  closeContextMenu(): void {}

  setIgnoreDoubleClickEvents(ignore: boolean): void {
    this.#ignoresDoubleClicks = ignore;
  }

  getIgnoreDoubleClickEvents(): boolean {
    return this.#ignoresDoubleClicks;
  }

  getGUID(): string | null {
    return this.#guid ?? null;
  }

  getBounds(): Rectangle {
    return { x: 0, y: 0, width: 0, height: 0 };
  }

  destroy(): void {
    this.#destroyed = true;
  }

  isDestroyed(): boolean {
    return this.#destroyed;
  }

  #requireAlive(): void {
    if (this.#destroyed) throw new Error('Tray is destroyed');
  }
}

function requireImage(image: NativeImage | string): void {
  if (typeof image !== 'string') return;
  if (nativeImage.createFromPath(image).isEmpty()) {
    throw new Error(`Failed to load image from path '${image}'`);
  }
}
