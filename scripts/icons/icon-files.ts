import { drawTray, trayStates } from './tray-drawing.ts';

/** An image generated from the app's icon. */
export interface IconFile {
  /** In `resources/icons/`. */
  readonly name: string;
  readonly svg: string;
  /** Pixels. */
  readonly side: number;
}

/**
 * Lists all images generated from `icon.svg`: the app icon for its window and, larger, for packages; the tray
 * icons for each state, for normal and high-density screens, in color and as templates for macOS.
 */
export const iconFiles = (source: string): readonly IconFile[] => [
  { name: 'icon.png', svg: source, side: 512 },
  { name: 'icon-1024.png', svg: source, side: 1024 },
  ...trayStates.flatMap((state) =>
    [false, true].flatMap((isTemplate) =>
      [1, 2].map((scale) => ({
        name: `tray-${state}${isTemplate ? 'Template' : ''}${scale === 2 ? '@2x' : ''}.png`,
        svg: drawTray(source, state, isTemplate),
        side: (isTemplate ? 16 : 32) * scale,
      })),
    ),
  ),
];
