import { afterEach, expect, test } from 'vitest';
import { readViewChoice, storeViewChoice } from '../../../../renderer/editor/session/panel-state.ts';

afterEach(() => localStorage.clear());

test('the editor opens with the canvas, and later with the last choice', () => {
  expect(readViewChoice()).toBe('canvas');
  storeViewChoice('split');
  expect(readViewChoice()).toBe('split');
});
