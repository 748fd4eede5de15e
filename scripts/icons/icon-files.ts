import { drawTray, trayStates } from './tray-drawing.ts';

/** A picture to be made of the app's icon. */
export interface IconFile {
  /** In `resources/icons/`. */
  readonly name: string;
  readonly svg: string;
  /** Pixels. */
  readonly side: number;
}

/**
 * All pictures that are made of `icon.svg`: the app's for its window and, larger, for packages; the tray's for each
 * state, for plain and dense screens, in colours and as templates for macOS.
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
