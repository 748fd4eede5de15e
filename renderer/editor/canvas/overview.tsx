import { memo, useMemo, useRef } from 'react';
import { useStore, type Edge, type Node, type ReactFlowState, MiniMap, Panel, useReactFlow } from 'reactflow';
import { statusToken } from '../../format/labels.ts';
import type { Direction } from '../../graph/compute-layout.ts';
import graphStyles from '../../graph/graph.module.css';
import { zoomRange } from '../../graph/graph-geometry.ts';
import { miniMapSize, useShowsAll } from '../../graph/graph-nodes.tsx';
import { useTestState } from '../run/test-store.ts';
import { useStable } from '../session/panel-state.ts';
import { useCanvasState, useCanvasStore } from './canvas-store.ts';
import type { CardData } from './flow-elements.ts';
import styles from './card.module.css';
import { drawBoxes, drawLines, maxIndividualCards } from './overview-cards.ts';

interface OverviewLayerProps {
  readonly cards: readonly Node[];
  readonly lines: readonly Edge[];
  readonly direction: Direction;
}

const toTransform = ({ transform: [x, y, zoom] }: ReactFlowState): string =>
  `translate(${x} ${y}) scale(${zoom})`;

/** Draws a large zoomed-out graph as one image; the cost does not grow with the number of steps. */
export function OverviewLayer(props: OverviewLayerProps) {
  const move = useStore(toTransform);
  return (
    <svg className={styles.picture} aria-hidden="true" data-cards="">
      <g transform={move}>
        <Shapes {...props} />
      </g>
    </svg>
  );
}

const Shapes = memo(function Shapes({ cards: given, lines, direction }: OverviewLayerProps) {
  const cards = useStable(given, hasSameDrawing);
  const path = useMemo(() => drawLines(cards, lines, direction), [cards, lines, direction]);
  return (
    <>
      <path className={styles.farLines} d={path} />
      <CardShapes cards={cards} />
    </>
  );
});

/** Draws the cards as boxes in the color of their status. */
const CardShapes = memo(function CardShapes({ cards: given }: Pick<OverviewLayerProps, 'cards'>) {
  const cards = useStable(given, hasSameDrawing);
  const highlighted = useCanvasState((state) => state.highlighted);
  const appearances = useTestState((state) => state.appearances);
  const kinds = useMemo(() => {
    const groups = Map.groupBy(cards, (card) => {
      if (card.type !== 'step') return undefined;
      const { node } = card.data as CardData;
      const appearance = appearances.get(card.id);
      const isDimmed = highlighted !== undefined && !highlighted.has(card.id);
      const isWrong = node.severity === 'error';
      const colour =
        card.selected === true
          ? '--accent'
          : isWrong
            ? '--status-failed'
            : appearance
              ? `--status-${statusToken(appearance.status)}`
              : '--border-strong';
      return `${colour} ${isDimmed ? 0.34 : 1}`;
    });
    return [...groups].flatMap(([kind, members]) => {
      const [colour, opacity] = kind?.split(' ') ?? [];
      return colour ? [{ colour, opacity, path: drawBoxes(members) }] : [];
    });
  }, [cards, highlighted, appearances]);
  return kinds.map(({ colour, opacity, path }) => (
    <path key={`${colour}${opacity}`} d={path} fill={`var(${colour})`} opacity={opacity} />
  ));
});

/** Whether two lists of cards look the same when zoomed out, regardless of their texts. */
const hasSameDrawing = (before: readonly Node[], now: readonly Node[]): boolean =>
  before.length === now.length &&
  now.every((card, index) => {
    const other = before[index]!;
    return (
      card === other ||
      (card.id === other.id &&
        card.type === other.type &&
        card.selected === other.selected &&
        card.width === other.width &&
        card.height === other.height &&
        card.position.x === other.position.x &&
        card.position.y === other.position.y &&
        getSeverity(card) === getSeverity(other))
    );
  });

const getSeverity = ({ type, data }: Node): string | undefined =>
  type === 'step' ? (data as CardData).node.severity : undefined;

/** Free margin around the extent, as a fraction of it. */
const margin = 0.05;
/** Zoom factor per line of mouse wheel movement. */
const wheelStep = 0.999;

/** With fewer cards, no overview is needed. */
const overviewFrom = 30;

/** Minimap of all cards with the viewport frame; a press or drag moves the viewport. */
export function Overview({ cards }: { readonly cards: readonly Node[] }) {
  const area = useMemo(() => getBounds(cards), [cards]);
  if (useShowsAll(area) || cards.length <= overviewFrom) return null;
  return cards.length > maxIndividualCards ? <LargeOverview cards={cards} /> : <SmallOverview />;
}

function SmallOverview() {
  return (
    <MiniMap
      className={graphStyles.miniMap}
      style={miniMapSize}
      nodeColor={({ id, selected }) =>
        !id.includes(':') ? 'transparent' : selected === true ? 'var(--accent)' : 'var(--border-strong)'
      }
      maskColor="var(--mini-mask)"
      bgColor="transparent"
      nodeBorderRadius={8}
      pannable
      zoomable
      ariaLabel="Minimap"
    />
  );
}

/**
 * One drawing instead of React Flow's own minimap, which renders a component per card on every viewport change.
 */
function LargeOverview({ cards }: { readonly cards: readonly Node[] }) {
  const flow = useReactFlow();
  const store = useCanvasStore();
  const svgRef = useRef<SVGSVGElement>(null);
  const extent = useMemo(() => getExtent(cards), [cards]);
  const goTo = ({ clientX, clientY }: React.PointerEvent): void => {
    const matrix = svgRef.current?.getScreenCTM();
    if (!matrix) return;
    const { x, y } = new DOMPoint(clientX, clientY).matrixTransform(matrix.inverse());
    store.setState({ isViewChosen: true });
    void flow.setCenter(x, y, { zoom: flow.getZoom() });
  };
  return (
    <Panel position="bottom-right" className={`react-flow__minimap ${graphStyles.miniMap}`}>
      <svg
        ref={svgRef}
        className={styles.overview}
        viewBox={`${extent.x} ${extent.y} ${extent.width} ${extent.height}`}
        role="img"
        aria-label="Minimap"
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId);
          goTo(event);
        }}
        onPointerMove={(event) => {
          if (event.buttons === 1) goTo(event);
        }}
        onWheel={({ deltaY }) => {
          const zoom = flow.getZoom() * wheelStep ** deltaY;
          store.setState({ isViewChosen: true });
          void flow.zoomTo(Math.min(zoomRange.max, Math.max(zoomRange.min, zoom)));
        }}
      >
        <CardShapes cards={cards} />
        <ViewFrame />
      </svg>
    </Panel>
  );
}

function ViewFrame() {
  const [x, y, zoom] = useStore(({ transform }) => transform);
  const width = useStore((state) => state.width);
  const height = useStore((state) => state.height);
  return (
    <rect
      className={styles.farFrame}
      x={-x / zoom}
      y={-y / zoom}
      width={width / zoom}
      height={height / zoom}
      vectorEffect="non-scaling-stroke"
    />
  );
}

function getBounds(cards: readonly Node[]) {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const { position, width = 0, height = 0 } of cards) {
    left = Math.min(left, position.x);
    top = Math.min(top, position.y);
    right = Math.max(right, position.x + width);
    bottom = Math.max(bottom, position.y + height);
  }
  return { x: left, y: top, width: right - left, height: bottom - top };
}

function getExtent(cards: readonly Node[]) {
  const { x, y, width, height } = getBounds(cards);
  const free = Math.max(width, height) * margin;
  return { x: x - free, y: y - free, width: width + 2 * free, height: height + 2 * free };
}
