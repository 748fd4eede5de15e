import { beforeEach, expect, test } from 'vitest';
import {
  bindings,
  setKeyBinding,
  keysForBinding,
  resetKeys,
  isTypingChord,
  formatChord,
} from '../../../renderer/navigation/key-bindings.ts';
import { usePreferences } from '../../../renderer/base/preferences.ts';

beforeEach(() => resetKeys());

const press = (
  key: string,
  held: Partial<Record<'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey', boolean>> = {},
) => ({
  key,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  shiftKey: false,
  ...held,
});

test.each([
  [press('k', { ctrlKey: true }), 'Mod+k'],
  [press('k', { metaKey: true }), 'Mod+k'],
  [press('P', { ctrlKey: true, shiftKey: true }), 'Mod+Shift+p'],
  [press('?', { shiftKey: true }), '?'],
  [press('G', { shiftKey: true }), 'Shift+g'],
  [press('ArrowDown'), 'ArrowDown'],
  [press(' '), 'Space'],
  [press('Shift', { shiftKey: true }), undefined],
])('a key press has one name: %o', (event, name) => {
  expect(formatChord(event)).toBe(name);
});

test('letters are input, chords with Control are shortcuts', () => {
  expect(['g', '?', 'Shift+g', 'Mod+k', 'Alt+x'].map(isTypingChord)).toEqual([
    true,
    true,
    true,
    false,
    false,
  ]);
});

test('no two rows of the table share a shortcut, and none is a prefix of another', () => {
  const all = bindings.flatMap((binding) => keysForBinding(binding, {}));
  expect(new Set(all).size).toBe(all.length);
  expect(all.filter((keys) => all.some((other) => other.startsWith(`${keys} `)))).toEqual([]);
});

test('rejects a shortcut that is in use and names its command; a free one can be assigned and reset', () => {
  expect(setKeyBinding('go Runs', 'g w')).toBe('"g w" is already used for "Workflows".');
  expect(setKeyBinding('go Runs', 'g')).toContain('already used for');
  expect(setKeyBinding('go Runs', 'Shift+r')).toBeUndefined();
  const runs = bindings.find(({ id }) => id === 'go Runs')!;
  expect(keysForBinding(runs, usePreferences.getState().keys)).toEqual(['Shift+r']);
  resetKeys('go Runs');
  expect(keysForBinding(runs, usePreferences.getState().keys)).toEqual(['g r']);
});
