import { render, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { readClipboard, writeClipboard } from '../../../../renderer/editor/canvas/canvas-actions.ts';
import { ToastRegion } from '../../../../renderer/ui/toasts.tsx';

afterEach(() => {
  vi.unstubAllGlobals();
});

const refused = () => Promise.reject(new DOMException('Write permission denied.', 'NotAllowedError'));

test.each([
  ['rejects access', { writeText: refused, readText: refused }],
  // As on a page without a secure context.
  ['is missing', undefined],
])('a clipboard that %s is reported, with a shortcut that still works', async (_name, clipboard) => {
  vi.stubGlobal('navigator', { clipboard });
  render(<ToastRegion />);
  expect(await writeClipboard('steps: []')).toBe(false);
  expect((await screen.findAllByText(/Press Ctrl\+C or Ctrl\+X/)).length).toBeGreaterThan(0);
  expect(await readClipboard()).toBeUndefined();
  expect((await screen.findAllByText(/Press Ctrl\+V/)).length).toBeGreaterThan(0);
});

test('reads and writes the clipboard', async () => {
  let held = '';
  const writeText = (text: string) => Promise.resolve(void (held = text));
  vi.stubGlobal('navigator', { clipboard: { writeText, readText: () => Promise.resolve(held) } });
  expect(await writeClipboard('- a: 1')).toBe(true);
  expect(await readClipboard()).toBe('- a: 1');
});
