import { expect, test } from 'vitest';
import { clampToCanvas } from '../../../../renderer/editor/canvas/overlays.tsx';
import { listDropSources } from '../../../../renderer/editor/canvas/drag-snippet.tsx';
import { drawText } from '../editor-harness.tsx';

const namesOf = (text: string): readonly string[] => listDropSources(drawText(text)).map(({ name }) => name);

test('a dropped step follows the last step or group of a sequential workflow, and nothing in a graph', () => {
  const steps = '  - {name: a, command: x}\n  - {name: b, command: x}\n';
  expect(namesOf(`steps:\n${steps}`)).toEqual(['b']);
  expect(namesOf(`steps:\n${steps}  - [{name: c, command: x}, {name: d, command: x}]\n`)).toEqual(['c', 'd']);
  expect(namesOf(`type: graph\nsteps:\n${steps}`)).toEqual([]);
  expect(namesOf('steps: []\n')).toEqual([]);
});

test('overlays stay over the part of the canvas that no panel covers', () => {
  const canvas = document.createElement('div');
  canvas.getBoundingClientRect = () => new DOMRect(300, 60, 700, 700);
  Object.defineProperty(canvas, 'clientWidth', { value: 700 });
  const cover = document.createElement('div');
  cover.dataset['cover'] = '';
  document.body.append(cover);
  cover.getBoundingClientRect = () => new DOMRect(2000, 60, 10, 700);
  expect(clampToCanvas({ x: 400, y: 1 }, canvas)).toEqual({ x: 400, y: 1 });
  expect(clampToCanvas({ x: 900, y: 1 }, canvas).x).toBe(1000 - 388);
  expect(clampToCanvas({ x: 10, y: 1 }, canvas).x).toBe(308);
  cover.getBoundingClientRect = () => new DOMRect(800, 60, 200, 700);
  expect(clampToCanvas({ x: 900, y: 1 }, canvas).x).toBe(800 - 388);
  cover.remove();
});
