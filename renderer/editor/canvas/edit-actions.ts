import type { EditRequest } from '../../../core/edit/edit-request.ts';
import type { EditOffer, EditRejection, EditResult, NodeRef } from '../../../core/edit/text-change.ts';
import { nodeId } from '../../graph/build-graph.ts';
import { type Point, cardSize } from '../../graph/compute-layout.ts';
import { showToast } from '../../ui/toasts.tsx';
import type { Snippet } from './snippets.ts';
import { getStepBoxes, findFreePosition } from './free-positions.ts';
import type { EdgeRef, GetCanvasPorts, PickerTarget } from './canvas-store.ts';

/** Canvas actions that change the workflow. */
export interface EditActions {
  /** Resolves when the step is in the text. */
  add(snippet: Snippet, target: Omit<PickerTarget, 'at'>): Promise<void>;
  connect(edge: EdgeRef): void;
  disconnect(edge: EdgeRef): void;
  /** @param reconnect whether dependents of the removed steps depend on the steps' own dependencies instead */
  remove(refs: readonly NodeRef[], reconnect: boolean): void;
  duplicate(refs: readonly NodeRef[]): void;
  rename(ref: NodeRef, name: string): Promise<EditResult>;
  /** @returns the steps as YAML; undefined when there is nothing to copy, in which case a notice is shown */
  copy(refs: readonly NodeRef[]): Promise<string | undefined>;
  /** Inserts steps given as YAML after the selected ones. */
  paste(text: string): void;
  applyOffer(offer: EditOffer): void;
  /** Returns the first offers that would help. */
  findOffers(offers: readonly EditOffer[], max: number): Promise<readonly EditOffer[]>;
  /** Displays the alternative to a rejected connection, if it helps. */
  suggestOffer(rejection: EditRejection): Promise<void>;
}

/** Offset of a copy from its original, in pixels. */
const copyShift: Point = { x: 28, y: cardSize.height + 16 };

const offerLabels = {
  'convert-to-graph': 'use explicit dependencies',
  reverse: 'reverse dependency',
  move: 'move step',
} as const;

const nameAll = (refs: readonly NodeRef[]): string =>
  refs.length === 1 ? refs[0]!.name : `${refs.length} steps`;

function createRequests(read: GetCanvasPorts) {
  const request = (edit: EditRequest, label: string): Promise<EditResult> => {
    const { session, document } = read();
    return session.edit({ ...edit, ...(document !== undefined && { document }) }, { label });
  };
  return {
    request,
    /** Displays why an edit was not made. @returns the steps that it created or changed */
    async make(edit: EditRequest, label: string): Promise<readonly NodeRef[] | undefined> {
      const done = await request(edit, label);
      if (!done.ok && done.offer === undefined) showToast('error', done.reason);
      else read().store.setState({ notice: done.ok ? undefined : done });
      if (!done.ok) return undefined;
      if (done.lost) showToast('info', lostConnectionsText(done.lost));
      return done.select ?? [];
    },
  };
}

export function createEditActions(read: GetCanvasPorts): EditActions {
  const { request, make } = createRequests(read);
  const select = (added: readonly NodeRef[] = []): void => {
    if (added.length > 0) read().select(added);
  };
  const findOffers: EditActions['findOffers'] = (offers, max) =>
    read().session.ask({ kind: 'offers', offers, max, document: read().document });
  return {
    async add({ yaml, name, label }, target) {
      const created = await make(toAddRequest({ yaml, name }, target), `add ${label}`);
      const added = created?.[0];
      if (added?.section === 'step' && target.position) positionNear(read, added, target.position);
      if (added) read().store.setState({ added: nodeId(added.section, added.name) });
      select(created);
    },
    connect: ({ source, target: step }) =>
      void make({ kind: 'connect', source, step }, `connect ${source.name} to ${step.name}`),
    disconnect({ source, target: step }) {
      const label = `disconnect ${source.name} from ${step.name}`;
      void make({ kind: 'disconnect', source, step }, label).then((done) => {
        if (done) read().store.setState({ selectedEdge: undefined });
        read().box.current?.focus();
      });
    },
    remove(target, reconnect) {
      if (target.length === 0) return;
      const label = `delete ${nameAll(target)}`;
      void make({ kind: 'remove-steps', target, reconnect }, label).then((done) => {
        if (!done) return;
        read().select([]);
        // The focused card is about to be removed.
        read().box.current?.focus();
      });
    },
    duplicate(refs) {
      const target = refs.filter(({ section }) => section === 'step');
      const label = `duplicate ${nameAll(target)}`;
      void make({ kind: 'duplicate-steps', target }, label).then((copies = []) => {
        positionCopies(read, target, copies);
        select(copies);
      });
    },
    rename: (step, name) => request({ kind: 'rename-step', step, name }, `rename ${step.name} to ${name}`),
    async copy(refs) {
      const copied = await read().session.ask({ kind: 'copy', refs });
      if (copied.ok) return copied.text;
      showToast('info', copied.reason);
      return undefined;
    },
    paste(text) {
      const after = read().selection.findLast(({ section }) => section === 'step');
      void make({ kind: 'paste-steps', text, ...(after && { after }) }, 'paste steps').then(select);
    },
    applyOffer: (offer) => void make({ kind: 'offer', offer }, offerLabels[offer.kind]),
    findOffers,
    async suggestOffer(rejection) {
      const offers = await findOffers(rejection.offer ? [rejection.offer] : [], 1);
      if (offers.length > 0) read().store.setState({ notice: rejection });
    },
  };
}

function toAddRequest(
  { yaml, name }: Pick<Snippet, 'yaml' | 'name'>,
  { handler, after, before, edge }: Omit<PickerTarget, 'at'>,
): EditRequest {
  const step = { yaml };
  if (handler !== undefined) return { kind: 'set-handler', handler, step };
  const position = { ...(after && { after }), ...(before && { before }), ...(edge && { edge }) };
  return { kind: 'add-step', step, name, ...position, isConnected: true };
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
