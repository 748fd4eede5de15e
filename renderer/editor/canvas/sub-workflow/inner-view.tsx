import { memo } from 'react';
import type { StepRunView } from '../../../../core/contract/runs/run-views.ts';
import { useRun } from '../../../api/queries/runs/run-queries.ts';
import { statusToken, statusLabels } from '../../../format/status.ts';
import { CardTime } from '../../../graph/cards/card-time.tsx';
import graphStyles from '../../../graph/graph.module.css';
import { collectAppearances, type StepAppearance } from '../../../graph/step-appearance.ts';
import { CardContent } from '../flow/cards/card-content.tsx';
import { useCardZoom, type CardZoom } from '../flow/cards/card-zoom.ts';
import { FoldButton, useOpenWorkflow } from './fold-button.tsx';
import type { NestedCard, NestedGraph } from './inner-graph.ts';
import type { Fold } from './resolve-folds.ts';
import styles from './sub-workflow.module.css';

interface InnerViewProps {
  readonly fold: Fold & { readonly inner: NestedGraph };
  /** Status of the step that runs it; undefined while no run is shown. */
  readonly step: StepRunView | undefined;
}

const noAppearances: ReadonlyMap<string, StepAppearance> = new Map();

/** Read-only sub-workflow in place of its step; it is edited on its own canvas. */
export const NestedGraphView = memo(function NestedGraphView({ fold, step }: InnerViewProps) {
  const { inner, target } = fold;
  const zoom = useCardZoom();
  // The newest run, for a step with several items.
  const ref = step?.subRuns.at(-1);
  const { data: run } = useRun(ref?.name ?? '', ref?.dagRunId ?? '', ref !== undefined);
  const appearances = run ? collectAppearances(run, noAppearances) : noAppearances;
  return (
    <div className={styles.inner} role="group" aria-label={`Steps of ${target}`}>
      <svg className={styles.lines} aria-hidden="true" width={inner.width} height={inner.height}>
        {inner.lines.map(({ id, path }) => (
          <path key={id} className={graphStyles.edge} d={path} markerEnd="url(#arrow-idle)" />
        ))}
      </svg>
      {inner.cards.map((card) => (
        <InnerCardView
          key={card.node.id}
          card={card}
          parent={fold}
          appearance={appearances.get(card.node.id)}
          step={run?.steps.find(({ name }) => name === card.node.name)}
          zoom={zoom}
        />
      ))}
    </div>
  );
});

interface InnerCardProps {
  readonly card: NestedCard;
  readonly parent: Fold;
  readonly appearance: StepAppearance | undefined;
  readonly step: StepRunView | undefined;
  readonly zoom: CardZoom;
}

function InnerCardView({ card, parent, appearance, step, zoom }: InnerCardProps) {
  const { node, fold, x, y, width, height } = card;
  const { show } = useOpenWorkflow();
  const details = [...(appearance ? [statusLabels[appearance.status]] : []), ...node.traits];
  return (
    <div className={styles.box} style={{ left: x, top: y, width, height }} data-open={fold?.inner && ''}>
      <div
        className={`${graphStyles.card} ${styles.head}`}
        data-status={appearance?.status ?? 'none'}
        data-section={node.section}
        data-size={zoom}
        style={
          appearance &&
          ({ '--mark': `var(--status-${statusToken(appearance.status)})` } as React.CSSProperties)
        }
      >
        <CardContent
          node={node}
          size={zoom}
          appearance={appearance}
          end={appearance && <CardTime appearance={appearance} />}
        />
        <button
          type="button"
          // Not in the tab order: the menu and the shortcut of the outer card open the workflow as well.
          tabIndex={-1}
          className={graphStyles.press}
          aria-label={`${node.section} ${node.name} of ${parent.target}${appearance ? `, ${statusLabels[appearance.status].toLowerCase()}` : ''}`}
          title={[`${node.name}: ${node.detail}`, ...details, 'Double-click to open.'].join('\n')}
          onDoubleClick={(event) => {
            event.stopPropagation();
            show(parent, node);
          }}
        />
      </div>
      {fold && <FoldButton name={node.name} fold={fold} zoom={zoom} isTabbed />}
      {fold?.inner && <NestedGraphView fold={{ ...fold, inner: fold.inner }} step={step} />}
    </div>
  );
}
