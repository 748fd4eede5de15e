import { useMemo } from 'react';
import { pluralize } from '../../core/base/text.ts';
import type { Workflow } from '../../core/model/workflow.ts';
import { buildGraph, type GraphModel } from './build-graph.ts';
import { cardSize, type Point } from './compute-layout.ts';
import styles from './graph.module.css';
import { quickLayout } from './quick-layout.ts';
import { stepIcons } from './step-icon.ts';

/** Size of a card of the preview, and the gaps between cards. */
const card = { width: 116, height: 32 } as const;
const gap = { along: 28, across: 12 } as const;
/** Gaps of the layout (quick-layout.ts). */
const layoutGap = { along: 48, across: 16 } as const;
/** Longer names are cut, so that they fit into a card. */
const maxLetters = 12;

/** Returns the positions of the smaller cards. */
function placeCards(graph: GraphModel): ReadonlyMap<string, Point> {
  const along = (card.width + gap.along) / (cardSize.width + layoutGap.along);
  const across = (card.height + gap.across) / (cardSize.height + layoutGap.across);
  return new Map(
    [...quickLayout(graph, 'RIGHT')].map(([id, { x, y }]) => [id, { x: x * along, y: y * across }]),
  );
}

/** A line from the right side of a card to the left side of another. */
function lineBetween(from: Point, to: Point): string {
  const [x, y] = [from.x + card.width, from.y + card.height / 2];
  const middle = x + gap.along / 2;
  const end = to.y + card.height / 2;
  return `M${x} ${y}C${middle} ${y} ${middle} ${end} ${middle + gap.along / 2} ${end}H${to.x}`;
}

const shorten = (name: string): string =>
  name.length > maxLetters ? `${name.slice(0, maxLetters - 1).trimEnd()}…` : name;

/** A small still preview of a workflow's steps, without controls. */
export function GraphPreview({ workflow }: { readonly workflow: Workflow }) {
  const graph = useMemo(() => buildGraph(workflow), [workflow]);
  const positions = useMemo(() => placeCards(graph), [graph]);
  const points = [...positions.values()];
  const width = Math.max(...points.map(({ x }) => x)) + card.width;
  const height = Math.max(...points.map(({ y }) => y)) + card.height;
  return (
    <svg
      className={styles.preview}
      viewBox={`-1 -1 ${width + 2} ${height + 2}`}
      style={{ maxWidth: width + 2 }}
      role="img"
      aria-label={`Graph of ${workflow.name}, ${pluralize(graph.steps.length, 'step')}`}
    >
      {graph.edges.map(({ id, source, target }) => (
        <path
          key={id}
          className={styles.line}
          d={lineBetween(positions.get(source)!, positions.get(target)!)}
        />
      ))}
      {graph.steps.map(({ id, name, kind }) => {
        const { x, y } = positions.get(id)!;
        const Icon = stepIcons[kind];
        return (
          <g key={id} transform={`translate(${x} ${y})`}>
            <title>{name}</title>
            <rect className={styles.graphPreviewCard} width={card.width} height={card.height} rx="6" />
            <Icon className={styles.graphPreviewIcon} x="9" y="9" size={14} aria-hidden="true" />
            <text className={styles.graphPreviewName} x="30" y="20.5">
              {shorten(name)}
            </text>
          </g>
        );
      })}
    </svg>
  );
}
