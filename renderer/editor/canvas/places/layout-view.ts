import type { LayoutView } from '../../../../core/contract/workflows/layouts.ts';
import { nodeId } from '../../../graph/build-graph.ts';
import type { Direction } from '../../../graph/layout/layout-input.ts';
import type { CanvasGraph } from '../model/canvas-graph.ts';
import type { Positions } from './place-steps.ts';
import type { ExpandedBox, ExpandedBounds } from './expanded-bounds.ts';

/** The canvas state in the side file. */
interface Arranged {
  readonly positions: Positions;
  readonly folded: ReadonlySet<string>;
  readonly open: ReadonlySet<string>;
  readonly rooms: ExpandedBounds;
}

type Saved = LayoutView | null | undefined;

export const readDirection = (saved: Saved): Direction | undefined =>
  saved?.direction && (saved.direction === 'right' ? 'RIGHT' : 'DOWN');

/** Parses the contents of the side file. */
export function readLayout(saved: Saved): Arranged {
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
  { positions, folded, open, rooms }: Arranged,
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
