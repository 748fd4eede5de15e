import { useLayoutEffect } from 'react';
import type { LayoutView } from '../../../core/contract/dag-files.ts';
import { nodeId } from '../../graph/build-graph.ts';
import type { Direction } from '../../graph/compute-layout.ts';
import type { CanvasGraph } from './canvas-graph.ts';
import type { Positions } from './free-positions.ts';
import { type ExpandedBox, type ExpandedBounds, releaseSpace, reserveSpace } from './expanded-bounds.ts';
import type { CanvasStore } from './canvas-store.ts';
import type { SubWorkflowFolds } from './use-folds.ts';

/** The canvas state in the side file. */
interface StoredLayout {
  readonly positions: Positions;
  readonly folded: ReadonlySet<string>;
  readonly open: ReadonlySet<string>;
  readonly rooms: ExpandedBounds;
}

type Saved = LayoutView | null | undefined;

export const readDirection = (saved: Saved): Direction | undefined =>
  saved?.direction && (saved.direction === 'right' ? 'RIGHT' : 'DOWN');

/** Parses the contents of the side file. */
export function readLayout(saved: Saved): StoredLayout {
  const expanded = Object.entries(saved?.expanded ?? {});
  return {
    positions: new Map(
      Object.entries(saved?.nodes ?? {}).map(([name, position]) => [nodeId('step', name), position]),
    ),
    folded: new Set(saved?.collapsed),
    open: new Set(expanded.map(([path]) => path)),
    rooms: new Map(
      expanded
        .filter(([, { width }]) => width > 0)
        .map(([path, { width, height, right, down }]) => [
          nodeId('step', path),
          { width, height, right, down },
        ]),
    ),
  };
}

/** For a sub-workflow inside another one, which makes no room of its own. */
const noRoom: ExpandedBox = { width: 0, height: 0, right: 0, down: 0 };

export function toLayoutView(
  graph: CanvasGraph,
  { positions, folded, open, rooms }: StoredLayout,
  direction: Direction | undefined,
): LayoutView {
  const nodes = graph.steps.flatMap(({ id, name }) => {
    const position = positions.get(id);
    return position ? [[name, { x: Math.round(position.x), y: Math.round(position.y) }] as const] : [];
  });
  return {
    direction: direction === 'DOWN' ? ('down' as const) : ('right' as const),
    nodes: Object.fromEntries(nodes),
    collapsed: [...folded],
    expanded: Object.fromEntries([...open].map((path) => [path, rooms.get(nodeId('step', path)) ?? noRoom])),
  };
}

interface Drawn {
  readonly graph: CanvasGraph;
  readonly folds: SubWorkflowFolds;
  readonly direction: Direction | undefined;
}

/**
 * Keeps the rooms of sub-workflows drawn in place at the size of their contents.
 * @param keep called when positions have changed
 */
export function useExpandedBounds(store: CanvasStore, drawn: Drawn, keep: () => void): void {
  const { graph, folds, direction } = drawn;
  useLayoutEffect(() => {
    if (!direction) return;
    const { positions, rooms } = store.getState();
    const next = fitExpandedBounds({ positions, rooms }, { graph, folds, direction });
    if (!next) return;
    store.setState(next);
    keep();
  }, [store, graph, folds, direction, keep]);
}

interface CardLayout {
  readonly positions: Positions;
  readonly rooms: ExpandedBounds;
}

/** Returns positions and rooms after steps were expanded, folded or resized; undefined when everything fits. */
export function fitExpandedBounds(
  { positions, rooms }: CardLayout,
  { graph, folds, direction }: Drawn & { readonly direction: Direction },
): CardLayout | undefined {
  // Ignore positions of steps that are no longer in the text.
  let now: CardLayout = { positions: new Map([...positions].filter(([id]) => graph.byId.has(id))), rooms };
  let isChanged = false;
  for (const { id } of graph.steps) {
    const fold = folds.get(id);
    const known = rooms.get(id);
    const size = fold?.inner;
    // The size stays until the other file is loaded.
    if (fold?.state === 'loading' || isAlike(known, size)) continue;
    isChanged = true;
    if (known) now = releaseSpace(now.positions, now.rooms, id);
    if (!size) continue;
    const { width, height } = size;
    const made = reserveSpace(now.positions, now.rooms, { id, size: { width, height }, direction });
    now = { positions: made.positions, rooms: new Map([...now.rooms, [id, made.room]]) };
  }
  return isChanged ? { positions: new Map([...positions, ...now.positions]), rooms: now.rooms } : undefined;
}

const isAlike = (
  room: ExpandedBox | undefined,
  size: { width: number; height: number } | undefined,
): boolean => room?.width === size?.width && room?.height === size?.height;

/** Cards moved by hand do not move back when a room is closed. */
export function discardMoves(rooms: ExpandedBounds, moved: Iterable<string>): ExpandedBounds {
  const ids = [...moved].filter((id) => rooms.has(id));
  if (ids.length === 0) return rooms;
  return new Map([...rooms, ...ids.map((id) => [id, { ...rooms.get(id)!, right: 0, down: 0 }] as const)]);
}

interface Opened {
  readonly open: ReadonlySet<string>;
  readonly rooms: ExpandedBounds;
}

/** Carries expanded rooms over renames; a step is matched by its index in the file, as for positions. */
export function transferExpandedBounds(
  before: CanvasGraph,
  after: CanvasGraph,
  { open, rooms }: Opened,
): Opened {
  const names = new Map(before.steps.map(({ name }, index) => [name, after.steps[index]?.name ?? name]));
  const rename = (name: string): string => names.get(name) ?? name;
  return {
    open: new Set(
      Array.from(open, (path) => {
        const end = path.indexOf('/');
        return end < 0 ? rename(path) : rename(path.slice(0, end)) + path.slice(end);
      }),
    ),
    rooms: new Map(Array.from(rooms, ([id, room]) => [`step:${rename(id.slice('step:'.length))}`, room])),
  };
}
