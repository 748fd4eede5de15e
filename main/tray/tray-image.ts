import path from 'node:path';
import type { NativeImage } from 'electron';
import type { TrayState } from './tray-content.ts';

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
