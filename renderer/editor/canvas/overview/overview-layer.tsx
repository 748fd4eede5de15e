import { memo, useMemo } from 'react';
import { useStore, type Edge, type Node, type ReactFlowState } from 'reactflow';
import { statusToken } from '../../../format/status.ts';
import type { Direction } from '../../../graph/layout/layout-input.ts';
import { useTestState } from '../../run/test-store.ts';
import { useStable } from '../../session/use-stable.ts';
import { useCanvasState } from '../state/canvas-store.ts';
import type { CardData } from '../flow/flow-elements.ts';
import styles from './far.module.css';
import { drawBoxes, drawLines } from './draw-shapes.ts';

interface OverviewLayerProps {
  readonly cards: readonly Node[];
  readonly lines: readonly Edge[];
  readonly direction: Direction;
}

const moveOf = ({ transform: [x, y, zoom] }: ReactFlowState): string => `translate(${x} ${y}) scale(${zoom})`;

/** Draws a large zoomed-out graph as one image; the cost does not grow with the number of steps. */
export function OverviewLayer(props: OverviewLayerProps) {
  const move = useStore(moveOf);
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
      <path className={styles.lines} d={path} />
      <CardShapes cards={cards} />
    </>
  );
});

/** Draws the cards as boxes in the color of their status. */
export const CardShapes = memo(function CardShapes({ cards: given }: Pick<OverviewLayerProps, 'cards'>) {
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
        severityOf(card) === severityOf(other))
    );
  });

const severityOf = ({ type, data }: Node): string | undefined =>
  type === 'step' ? (data as CardData).node.severity : undefined;
