import { EventEmitter } from 'node:events';
import type { Display, Point, Rectangle } from 'electron';
import { requireReady } from '../app/lifecycle.ts';
import { PANEL_HEIGHT, PRIMARY_DISPLAY_SIZE } from './display-size.ts';

const { width, height } = PRIMARY_DISPLAY_SIZE;

const PRIMARY_DISPLAY: Display = {
  id: 1,
  label: 'Stand-in',
  bounds: { x: 0, y: 0, width, height },
  workArea: { x: 0, y: 0, width, height: height - PANEL_HEIGHT },
  size: { width, height },
  workAreaSize: { width, height: height - PANEL_HEIGHT },
  nativeOrigin: { x: 0, y: 0 },
  scaleFactor: 1,
  rotation: 0,
  internal: false,
  detected: true,
  monochrome: false,
  colorDepth: 24,
  colorSpace: '{primaries:BT709, transfer:SRGB, matrix:RGB, range:FULL}',
  depthPerComponent: 8,
  displayFrequency: 60,
  maximumCursorSize: { width: 64, height: 64 },
  accelerometerSupport: 'unknown',
  touchSupport: 'unavailable',
};

/** Electron's `screen`: one display, and the pointer in its corner. */
class Screen extends EventEmitter {
  getPrimaryDisplay(): Display {
    requireReady("The 'screen' module can't be used before the app 'ready' event");
    return structuredClone(PRIMARY_DISPLAY);
  }

  getAllDisplays(): Display[] {
    return [this.getPrimaryDisplay()];
  }

  getDisplayMatching(_rectangle: Rectangle): Display {
    return this.getPrimaryDisplay();
  }

  getDisplayNearestPoint(_point: Point): Display {
    return this.getPrimaryDisplay();
  }

  getCursorScreenPoint(): Point {
    return { x: 0, y: 0 };
  }
}

export const screen = new Screen();
