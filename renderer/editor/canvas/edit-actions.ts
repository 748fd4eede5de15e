import type { EditOffer, NodeRef } from '../../../core/edit/text-change.ts';
import { nodeId } from '../../graph/build-graph.ts';
import { type Point, cardSize } from '../../graph/compute-layout.ts';
import { showToast } from '../../ui/toasts.tsx';
import type { Snippet } from './snippets.ts';
import { getStepBoxes, findFreePosition } from './free-positions.ts';
import type { EdgeRef, PickerTarget } from './canvas-store.ts';
import type { GetCanvasPorts, StepEditResult } from './step-commands.ts';

/** Canvas actions that change the workflow. */
export interface EditActions {
  /** Displays why an edit was not made. */
  notify(done: StepEditResult): StepEditResult;
  add(snippet: Snippet, target: Omit<PickerTarget, 'at'>): void;
  connect(edge: EdgeRef): void;
  disconnect(edge: EdgeRef): void;
  remove(refs: readonly NodeRef[], reconnect: boolean): void;
  duplicate(refs: readonly NodeRef[]): void;
  rename(ref: NodeRef, name: string): StepEditResult;
  /** @returns the steps as YAML; undefined when there is nothing to copy, in which case a notice is shown */
  copy(refs: readonly NodeRef[]): string | undefined;
  paste(text: string): void;
  applyOffer(offer: EditOffer): void;
  /** Whether an offer would help. */
  canApply(offer: EditOffer): boolean;
}

/** Offset of a copy from its original, in pixels. */
const copyShift: Point = { x: 28, y: cardSize.height + 16 };

export function createEditActions(read: GetCanvasPorts): EditActions {
  const notify = (done: StepEditResult): StepEditResult => reportResult(read, done);
  const finish = (done: StepEditResult): boolean => {
    notify(done);
    if (done.ok && done.select.length > 0) read().select(done.select);
    return done.ok;
  };
  return {
    notify,
    add(snippet, { position, ...target }) {
      const done = read().steps.add(snippet, target);
      const added = done.ok ? done.select[0] : undefined;
      if (added?.section === 'step' && position) positionNear(read, added, position);
      if (added) read().store.setState({ added: nodeId(added.section, added.name) });
      finish(done);
    },
    connect: (edge) => void notify(read().steps.connect(edge)),
    disconnect(edge) {
      if (notify(read().steps.disconnect(edge)).ok) read().store.setState({ selectedEdge: undefined });
      read().box.current?.focus();
    },
    remove(refs, reconnect) {
      if (refs.length === 0) return;
      if (!notify(read().steps.remove(refs, reconnect)).ok) return;
      read().select([]);
      // The focused card is about to be removed.
      read().box.current?.focus();
    },
    duplicate(refs) {
      const steps = refs.filter(({ section }) => section === 'step');
      const done = read().steps.duplicate(steps);
      if (done.ok) positionCopies(read, steps, done.select);
      finish(done);
    },
    rename: (ref, name) => read().steps.rename(ref, name),
    copy(refs) {
      const copied = read().steps.copy(refs);
      if (copied.ok) return copied.text;
      showToast('info', copied.reason);
      return undefined;
    },
    paste(text) {
      const { selection } = read();
      const after = selection.findLast(({ section }) => section === 'step');
      const done = read().steps.paste(text, after);
      finish(done);
      if (done.ok && done.lost) showToast('info', lostConnectionsText(done.lost));
    },
    applyOffer: (offer) => void notify(read().steps.applyOffer(offer)),
    canApply: (offer) => read().steps.canApply(offer),
  };
}

function reportResult(read: GetCanvasPorts, done: StepEditResult): StepEditResult {
  const { store } = read();
  if (done.ok) store.setState({ notice: undefined });
  else if (done.offer && read().steps.canApply(done.offer)) store.setState({ notice: done });
  else showToast('error', done.reason);
  return done;
}

/** Lists the names when there are few, otherwise the count. */
function lostConnectionsText(names: readonly string[]): string {
  const shown = names.slice(0, 3).map((name) => `"${name}"`);
  const rest = names.length > shown.length ? ` and ${names.length - shown.length} more` : '';
  return `Removed missing dependencies: ${shown.join(', ')}${rest}. Reconnect the pasted steps.`;
}

function positionNear(read: GetCanvasPorts, ref: NodeRef, desired: Point): void {
  const { store, positions, graph } = read();
  const { positions: known, rooms } = store.getState();
  const taken = getStepBoxes(graph, known, rooms);
  const position = findFreePosition(desired, taken, positions.direction ?? 'RIGHT');
  positions.move(new Map([[nodeId(ref.section, ref.name), position]]));
}

/** Places copies next to their originals, in file order. */
function positionCopies(read: GetCanvasPorts, refs: readonly NodeRef[], copies: readonly NodeRef[]): void {
  const { graph, store } = read();
  const originals = graph.steps.filter(({ ref }) => refs.some(({ name }) => name === ref.name));
  copies.forEach((copy, index) => {
    const position = originals[index] && store.getState().positions.get(originals[index].id);
    if (position) positionNear(read, copy, { x: position.x + copyShift.x, y: position.y + copyShift.y });
  });
}
