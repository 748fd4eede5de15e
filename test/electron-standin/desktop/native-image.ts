import fs from 'node:fs';
import type { ResizeOptions, Size } from 'electron';
import { createStrictModule } from '../app/strict-module.ts';
import { readImageSize } from './image-header.ts';

/**
 * Electron's `NativeImage`. It has a size and the original encoded bytes; pixels are never decoded, so a
 * resized image has the new size and the old bytes.
 */
export class NativeImage {
  isMacTemplateImage = false;
  readonly #bytes: Buffer;
  readonly #size: Size;

  /** @param bytes a PNG or JPEG; anything else creates an empty image, as in Electron */
  constructor(bytes: Buffer, size = readImageSize(bytes)) {
    this.#bytes = size ? bytes : Buffer.alloc(0);
    this.#size = size ?? { width: 0, height: 0 };
  }

  isEmpty(): boolean {
    return this.#bytes.length === 0;
  }

  getSize(): Size {
    return { ...this.#size };
  }

  getAspectRatio(): number {
    return this.isEmpty() ? 1 : this.#size.width / this.#size.height;
  }

  getScaleFactors(): number[] {
    return [1];
  }

  /** A missing side follows the aspect ratio. */
  resize({ width, height }: ResizeOptions): NativeImage {
    if (this.isEmpty()) return new NativeImage(Buffer.alloc(0));
    const ratio = this.getAspectRatio();
    const size = {
      width: Math.round(width ?? (height === undefined ? this.#size.width : height * ratio)),
      height: Math.round(height ?? (width === undefined ? this.#size.height : width / ratio)),
    };
    return new NativeImage(this.#bytes, size);
  }

  setTemplateImage(option: boolean): void {
    this.isMacTemplateImage = option;
  }

  isTemplateImage(): boolean {
    return this.isMacTemplateImage;
  }

  toPNG(): Buffer {
    return this.#bytes;
  }

  toDataURL(): string {
    return `data:image/png;base64,${this.#bytes.toString('base64')}`;
  }
}

/** Electron's `nativeImage` module. */
export const nativeImage = createStrictModule('nativeImage', {
  createEmpty: (): NativeImage => new NativeImage(Buffer.alloc(0)),
  createFromBuffer: (buffer: Buffer): NativeImage => new NativeImage(buffer),
  createFromPath: (path: string): NativeImage =>
    new NativeImage(fs.existsSync(path) ? fs.readFileSync(path) : Buffer.alloc(0)),
  createFromDataURL: (dataURL: string): NativeImage => new NativeImage(decodeDataUrl(dataURL)),
  /** The system's named images exist on macOS only. */
  createFromNamedImage: (_imageName: string): NativeImage => new NativeImage(Buffer.alloc(0)),
});

function decodeDataUrl(url: string): Buffer {
  const [, encoding, data = ''] = /^data:[^,]*?(;base64)?,(.*)$/s.exec(url) ?? [];
  return encoding ? Buffer.from(data, 'base64') : Buffer.from(decodeURIComponent(data));
}
