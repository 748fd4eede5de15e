import path from 'node:path';
import type { NativeImage } from 'electron';
import type { TrayState } from './tray-picture.ts';

/**
 * The icon of a state. macOS colours its own, so it gets the black shapes as a template; larger ones for dense
 * screens lie beside each file (`@2x`) and are found by Electron.
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
