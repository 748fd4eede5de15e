import { useMemo, useRef } from 'react';
import { MiniMap, Panel, useReactFlow, useStore, type Node } from 'reactflow';
import graphStyles from '../../../graph/graph.module.css';
import { zoomRange } from '../../../graph/layout/graph-viewport.ts';
import { miniMapSize } from '../../../graph/mini-map-size.ts';
import { useCanvasStore } from '../state/canvas-store.ts';
import { CardShapes } from './overview-layer.tsx';
import styles from './far.module.css';
import { maxIndividualCards } from './use-overview-cards.ts';

/** Free margin around the extent, as a fraction of it. */
const margin = 0.05;
/** Zoom factor per line of mouse wheel movement. */
const wheelStep = 0.999;

/** With fewer cards, no overview is needed. */
const overviewFrom = 30;

/** Minimap of all cards with the viewport frame; a press or drag moves the viewport. */
export function Overview({ cards }: { readonly cards: readonly Node[] }) {
  if (cards.length <= overviewFrom) return null;
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
  const extent = useMemo(() => extentOf(cards), [cards]);
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
      className={styles.frame}
      x={-x / zoom}
      y={-y / zoom}
      width={width / zoom}
      height={height / zoom}
      vectorEffect="non-scaling-stroke"
    />
  );
}

function extentOf(cards: readonly Node[]) {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const { position, width = 0, height = 0 } of cards) {
    left = Math.min(left, position.x);
    top = Math.min(top, position.y);
    right = Math.max(right, position.x + width);
    bottom = Math.max(bottom, position.y + height);
  }
  const free = Math.max(right - left, bottom - top) * margin;
  return {
    ...{ x: left - free, y: top - free },
    width: right - left + 2 * free,
    height: bottom - top + 2 * free,
  };
}
