import { act, fireEvent, render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { canApply, computeEdit } from '../../../../core/edit/edit-request.ts';
import { applyChanges, type EditOffer, type NodeRef } from '../../../../core/edit/text-change.ts';
import { readEditable } from '../../../../core/edit/yaml/editable-text.ts';
import {
  CanvasActionsProvider,
  type CanvasActions,
} from '../../../../renderer/editor/canvas/canvas-actions.ts';
import { ConnectPicker } from '../../../../renderer/editor/canvas/connect-picker.tsx';
import { buildText } from '../editor-harness.tsx';
import { checkConnection } from '../../../../core/edit/steps/check-connection.ts';

const step = (name: string): NodeRef => ({ section: 'step', name });
const chain = 'steps:\n  - name: a\n    command: x\n  - name: b\n    command: y\n';
const graph =
  'type: graph\nsteps:\n  - name: a\n    command: x\n  - name: b\n    command: y\n    depends: a\n';

/** The offer for a connection that is rejected, and the text that it produces. */
function takeOffer(text: string, source: string, target: string) {
  const { document } = buildText(text);
  const offer = checkConnection(document, step(source), step(target))?.offer;
  const edit = offer && computeEdit(readEditable(text), { kind: 'offer', offer });
  return { kind: offer?.kind, after: edit?.ok === true ? applyChanges(text, edit.changes) : '' };
}

test('in a sequence, a step that runs before moves behind', () => {
  expect(takeOffer(chain, 'b', 'a')).toEqual({
    kind: 'move',
    after: 'steps:\n  - name: b\n    command: y\n  - name: a\n    command: x\n',
  });
});

test('in a graph, the only dependency is reversed', () => {
  const { kind, after } = takeOffer(graph, 'b', 'a');
  expect(kind).toBe('reverse');
  const { document } = buildText(after);
  expect(document.steps.map(({ name, depends }) => [name, depends])).toEqual([
    ['a', ['b']],
    ['b', []],
  ]);
});

test('a longer path has no offer, since reversing would not help', () => {
  const longer = `${graph}  - name: c\n    command: z\n    depends: [a, b]\n`;
  expect(takeOffer(longer, 'c', 'a').kind).toBeUndefined();
});

/** Presses `C` on a step: shows the picker. Returns the offers that were chosen. */
async function pressConnect(text: string, from: string): Promise<readonly EditOffer[]> {
  const chosen: EditOffer[] = [];
  const actions = {
    applyOffer: (offer: EditOffer) => void chosen.push(offer),
    findOffers: async (offers: readonly EditOffer[]) =>
      offers.filter((offer) => canApply(readEditable(text), offer)),
  } as unknown as CanvasActions;
  const drawn = { ...buildText(text), isBehind: false };
  const ignore = (): void => undefined;
  await act(async () => {
    render(
      <CanvasActionsProvider value={actions}>
        <ConnectPicker drawn={drawn} from={step(from)} onChoose={ignore} onClose={ignore} />
      </CanvasActionsProvider>,
    );
  });
  return chosen;
}

test('the last step of a sequence offers a move, not explicit dependencies', async () => {
  const chosen = await pressConnect(chain, 'b');
  expect(screen.queryByRole('button', { name: 'Use explicit dependencies' })).toBeNull();
  fireEvent.click(screen.getByRole('button', { name: 'Move "a" after "b"' }));
  expect(chosen).toMatchObject([{ kind: 'move', source: { name: 'b' }, target: { name: 'a' } }]);
});

test('a move that another dependency prevents is not offered', async () => {
  await pressConnect(`${chain}    depends: a\n`, 'b');
  expect(screen.getByText(/runs last/)).toBeTruthy();
  expect(screen.queryByRole('button')).toBeNull();
});

test('explicit dependencies are offered where they make a connection possible', async () => {
  await pressConnect(`${chain}  - name: c\n    command: z\n`, 'a');
  expect(screen.getByRole('button', { name: 'Use explicit dependencies' })).toBeTruthy();
});

test('the last step of a graph offers to reverse a dependency', async () => {
  await pressConnect(graph, 'b');
  expect(screen.getByText('All other steps already run before "b".')).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Make "a" depend on "b" instead' })).toBeTruthy();
});
