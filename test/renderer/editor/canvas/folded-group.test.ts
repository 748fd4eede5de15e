import { expect, test } from 'vitest';
import { toCards, listGroups } from '../../../../renderer/editor/canvas/flow-elements.ts';
import { layOutHandlerLane } from '../../../../renderer/editor/canvas/free-positions.ts';
import { drawText } from '../editor-harness.tsx';

const graph = drawText(
  'steps:\n  - echo one\n  - [echo two, echo three, echo four, echo five]\n  - echo six\n',
);
const rows = [0, 68, 136, 204];

/** Position of the collapsed group, with the previous and next steps at a height. */
function placeOfFolded(y: number) {
  const [first, last] = [graph.steps[0]!.id, graph.steps.at(-1)!.id];
  const members = graph.steps.slice(1, -1);
  const positions = new Map([
    [first, { x: 0, y }],
    ...members.map(({ id }, index) => [id, { x: 252, y: rows[index]! }] as const),
    [last, { x: 504, y }],
  ]);
  const rooms = new Map();
  const [group] = listGroups(graph);
  const cards = toCards(
    {
      ...{ graph, positions, rooms, lane: layOutHandlerLane(graph, positions, rooms), direction: 'RIGHT' },
      ...{ selected: new Set(), folded: new Set([group!.key]), folds: new Map() },
    },
    [],
  );
  return cards.find(({ type }) => type === 'sideBySide')?.position;
}

test('a collapsed group is aligned with the steps before and after it', () => {
  expect(placeOfFolded(68)).toEqual({ x: 252, y: 68 });
  expect(placeOfFolded(102)).toEqual({ x: 252, y: 102 });
  expect(placeOfFolded(900)).toEqual({ x: 252, y: 204 });
});
