import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Rectangle } from 'electron';

/** The stored position and size of the window. */
export interface WindowState {
  readonly bounds: Rectangle;
  readonly maximized: boolean;
}

/** The smallest window size in which every page is usable. */
export const minSize = { width: 720, height: 480 } as const;

/** Initial size. */
const firstSize = { width: 1280, height: 800 };

/** Reads the state; undefined if it is missing or damaged, which is not an error. */
export function readWindowState(file: string): WindowState | undefined {
  try {
    const { bounds, maximized } = JSON.parse(readFileSync(file, 'utf8')) as {
      bounds: Rectangle;
      maximized: unknown;
    };
    const { x, y, width, height } = bounds;
    const whole = [x, y, width, height].every(Number.isInteger);
    return whole ? { bounds: { x, y, width, height }, maximized: maximized === true } : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Writes the state through a temporary file, so that a crash leaves the old one. Throws the file system's
 * error.
 */
export function writeWindowState(file: string, state: WindowState): void {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(`${file}.new`, JSON.stringify(state), { mode: 0o600 });
  renameSync(`${file}.new`, file);
}

/**
 * Fits a window to the current screens: since the state was stored, a monitor may have been unplugged or
 * changed its resolution. Without a state, or far from every screen, it is centered on the first one.
 */
export function fitToWorkAreas(state: WindowState | undefined, workAreas: readonly Rectangle[]): WindowState {
  const maximized = state?.maximized ?? false;
  for (const area of workAreas) {
    const bounds = state && { ...state.bounds, ...limitSize(state.bounds, area) };
    if (bounds && isOnScreen(bounds, area)) return { bounds, maximized };
  }
  const [first = { x: 0, y: 0, ...firstSize }] = workAreas;
  return { bounds: centre(limitSize(state?.bounds ?? firstSize, first), first), maximized };
}

interface Size {
  readonly width: number;
  readonly height: number;
}

/** Not larger than the screen, but at least the minimum usable size. */
const limitSize = (size: Size, area: Size): Size => ({
  width: Math.max(minSize.width, Math.min(size.width, area.width)),
  height: Math.max(minSize.height, Math.min(size.height, area.height)),
});

/** Pixels of the title bar that must be on a screen, so that the user can drag the window. */
const minVisiblePx = 100;

const isOnScreen = ({ x, y, width }: Rectangle, area: Rectangle): boolean =>
  x < area.x + area.width - minVisiblePx &&
  x + width > area.x + minVisiblePx &&
  y >= area.y &&
  y < area.y + area.height - minVisiblePx;

const centre = (size: Size, area: Rectangle): Rectangle => ({
  x: area.x + Math.round((area.width - size.width) / 2),
  y: area.y + Math.round((area.height - size.height) / 2),
  ...size,
});
