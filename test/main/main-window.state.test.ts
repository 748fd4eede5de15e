import { mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fitToWorkAreas, readWindowState, minSize, writeWindowState } from '../../main/main-window.ts';
import { makeTemporaryFolder } from '../harness/resources.ts';

const laptop = { x: 0, y: 0, width: 1920, height: 1040 };
const monitor = { x: 1920, y: 0, width: 2560, height: 1400 };

describe('fitToScreens', () => {
  test('centers a first window on the first screen', () => {
    expect(fitToWorkAreas(undefined, [laptop, monitor])).toEqual({
      bounds: { x: 320, y: 120, width: 1280, height: 800 },
      maximized: false,
    });
  });

  test('leaves a window where it was, on any screen', () => {
    const state = { bounds: { x: 2000, y: 40, width: 1400, height: 900 }, maximized: true };
    expect(fitToWorkAreas(state, [laptop, monitor])).toEqual(state);
  });

  test('moves a window of a disconnected screen to the first one, with its size', () => {
    const state = { bounds: { x: 2000, y: 40, width: 1400, height: 900 }, maximized: true };
    expect(fitToWorkAreas(state, [laptop])).toEqual({
      bounds: { x: 260, y: 70, width: 1400, height: 900 },
      maximized: true,
    });
  });

  test('shrinks a window to a screen that has become smaller', () => {
    const state = { bounds: { x: 10, y: 10, width: 3800, height: 2100 }, maximized: false };
    expect(fitToWorkAreas(state, [laptop]).bounds).toEqual({ x: 10, y: 10, width: 1920, height: 1040 });
  });

  test('never makes a window too small to be used', () => {
    const state = { bounds: { x: 10, y: 10, width: 30, height: 20 }, maximized: false };
    expect(fitToWorkAreas(state, [laptop]).bounds).toMatchObject(minSize);
  });

  test('assumes a default screen if the system reports none', () => {
    expect(fitToWorkAreas(undefined, []).bounds).toEqual({ x: 0, y: 0, width: 1280, height: 800 });
  });

  test('always leaves part of the title bar on some screen, and is idempotent', () => {
    const place = fc.record({
      x: fc.integer({ min: -9000, max: 9000 }),
      y: fc.integer({ min: -9000, max: 9000 }),
      width: fc.integer({ min: -10, max: 9000 }),
      height: fc.integer({ min: -10, max: 9000 }),
    });
    fc.assert(
      fc.property(place, (bounds) => {
        const fitted = fitToWorkAreas({ bounds, maximized: false }, [laptop, monitor]);
        const { x, y, width } = fitted.bounds;
        const visible = [laptop, monitor].some(
          (area) =>
            Math.min(x + width, area.x + area.width) - Math.max(x, area.x) >= 100 &&
            y >= area.y &&
            y < area.y + area.height,
        );
        expect(visible).toBe(true);
        expect(fitToWorkAreas(fitted, [laptop, monitor])).toEqual(fitted);
      }),
    );
  });
});

describe('saved state', () => {
  test('is restored as written, and readable by the user only', () => {
    const file = path.join(makeTemporaryFolder(), 'desktop', 'window.json');
    const state = { bounds: { x: 1, y: 2, width: 800, height: 600 }, maximized: true };
    writeWindowState(file, { bounds: { x: 0, y: 0, width: 1, height: 1 }, maximized: false });
    writeWindowState(file, state);
    expect(readWindowState(file)).toEqual(state);
    expect(readdirSync(path.dirname(file))).toEqual(['window.json']);
    if (process.platform !== 'win32') expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  test.each([
    ['is missing', undefined],
    ['is empty', ''],
    ['is not JSON', '{"bounds":'],
    ['is null', 'null'],
    ['has no bounds', '{"maximized":true}'],
    ['has a fraction', '{"bounds":{"x":0.5,"y":0,"width":800,"height":600}}'],
    ['has a string', '{"bounds":{"x":"0","y":0,"width":800,"height":600}}'],
  ])('is ignored when the file %s', (_what, text) => {
    const file = path.join(makeTemporaryFolder(), 'window.json');
    if (text !== undefined) writeFileSync(file, text);
    expect(readWindowState(file)).toBeUndefined();
  });

  test('reads no other fields of the file', () => {
    const file = path.join(makeTemporaryFolder(), 'window.json');
    writeFileSync(
      file,
      '{"bounds":{"x":1,"y":2,"width":3,"height":4,"webPreferences":{}},"maximized":"yes"}',
    );
    expect(readWindowState(file)).toEqual({
      bounds: { x: 1, y: 2, width: 3, height: 4 },
      maximized: false,
    });
  });

  test('is unchanged when it cannot be replaced', () => {
    const file = path.join(makeTemporaryFolder(), 'window.json');
    const kept = { bounds: { x: 1, y: 2, width: 800, height: 600 }, maximized: false };
    writeWindowState(file, kept);
    // A folder in place of the temporary file makes the write fail for any user.
    mkdirSync(`${file}.new`);
    expect(() => writeWindowState(file, { ...kept, maximized: true })).toThrow(/EISDIR|EPERM|EACCES/);
    expect(readWindowState(file)).toEqual(kept);
  });
});
