import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Rectangle } from 'electron';

/** Where the window was, so that it comes back there. */
export interface WindowState {
  readonly bounds: Rectangle;
  readonly maximized: boolean;
}

const smallest = { width: 720, height: 480 };

/** The size of a first start. */
const firstSize = { width: 1280, height: 800 };

/** Reads the state; undefined when there is none or it is damaged, which is not worth an error. */
export function readWindowState(file: string): WindowState | undefined {
  try {
    const { bounds, maximized } = JSON.parse(readFileSync(file, 'utf8')) as { bounds: Rectangle; maximized: unknown };
    const numbers = [bounds.x, bounds.y, bounds.width, bounds.height];
    return numbers.every(Number.isInteger) ? { bounds, maximized: maximized === true } : undefined;
  } catch {
    return undefined;
  }
}

/** Writes the state through a temporary file, so that a crash leaves the old one. */
export function writeWindowState(file: string, state: WindowState): void {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(`${file}.new`, JSON.stringify(state), { mode: 0o600 });
  renameSync(`${file}.new`, file);
}

/** Puts a window onto the screens there are now: a monitor may have been unplugged since the state was kept. */
export function fitToScreens(state: WindowState | undefined, workAreas: readonly Rectangle[]): WindowState {
  const width = Math.max(smallest.width, state?.bounds.width ?? firstSize.width);
  const height = Math.max(smallest.height, state?.bounds.height ?? firstSize.height);
  const maximized = state?.maximized ?? false;
  if (state !== undefined && workAreas.some((area) => isReachable(state.bounds, area))) {
    return { bounds: { x: state.bounds.x, y: state.bounds.y, width, height }, maximized };
  }
  const [first = { x: 0, y: 0, ...firstSize }] = workAreas;
  return {
    bounds: centre({ width: Math.min(width, first.width), height: Math.min(height, first.height) }, first),
    maximized,
  };
}

/** Pixels of a title bar that must be on a screen so that a person can drag the window. */
const grip = 100;

const isReachable = ({ x, y, width }: Rectangle, area: Rectangle): boolean =>
  x < area.x + area.width - grip &&
  x + width > area.x + grip &&
  y >= area.y &&
  y < area.y + area.height - grip;

const centre = (size: { width: number; height: number }, area: Rectangle): Rectangle => ({
  x: area.x + Math.round((area.width - size.width) / 2),
  y: area.y + Math.round((area.height - size.height) / 2),
  ...size,
});
