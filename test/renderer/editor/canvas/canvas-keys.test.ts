import { expect, test } from 'vitest';
import { canvasKeys, findCommand, nameKey, showKey } from '../../../../renderer/editor/canvas/canvas-keys.ts';

const press = (
  key: string,
  held: Partial<Record<'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey', boolean>> = {},
) => ({
  ...{ key, ctrlKey: false, metaKey: false, altKey: false, shiftKey: false },
  ...held,
});

test('no shortcut is listed twice', () => {
  const keys = canvasKeys.flatMap((row) => row.keys);
  expect(new Set(keys).size).toBe(keys.length);
});

test('shortcuts are named as in the table', () => {
  expect(nameKey(press('d', { ctrlKey: true }))).toBe('Ctrl+D');
  expect(nameKey(press('d', { metaKey: true }))).toBe('Ctrl+D');
  expect(nameKey(press('?', { shiftKey: true }))).toBe('?');
  expect(nameKey(press('ArrowLeft', { shiftKey: true }))).toBe('Shift+ArrowLeft');
  expect(showKey('Alt+ArrowUp')).toBe('Alt+↑');
  expect(showKey('+')).toBe('+');
});

test('a key press finds its command, user shortcuts first', () => {
  expect(findCommand(press('Delete', { ctrlKey: true }))?.command).toBe('deleteReconnect');
  expect(findCommand(press('l'))?.command).toBe('layOut');
  expect(findCommand(press('l'), { layOut: ['G'] })).toBeUndefined();
  expect(findCommand(press('g'), { layOut: ['G'] })?.command).toBe('layOut');
});

test('leaves clipboard events to the browser', () => {
  expect(findCommand(press('c', { ctrlKey: true }))).toBeUndefined();
});
