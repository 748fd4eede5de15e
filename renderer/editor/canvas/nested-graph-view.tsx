import { ChevronDown, ChevronRight, CircleAlert, LogIn, RefreshCw, type LucideIcon } from 'lucide-react';
import { useLocation } from 'wouter';
import { memo } from 'react';
import type { NodeRef } from '../../../core/edit/text-change.ts';
import type { StepRunView } from '../../../core/contract/run-views.ts';
import { paths } from '../../navigation/address.ts';
import { useRun } from '../../api/run-queries.ts';
import { statusToken, statusLabels } from '../../format/labels.ts';
import { CardTime, collectAppearances, type StepAppearance } from '../../graph/step-card.tsx';
import graphStyles from '../../graph/graph.module.css';
import { useEditorSession } from '../session/panel-state.ts';
import { useCanvasActions } from './canvas-actions.ts';
import { type CardZoom, CardContent, useCardZoom } from './card-content.tsx';
import { foldLabel, foldBlocker, type Fold } from './resolve-folds.ts';
import styles from './card.module.css';
import type { NestedCard, NestedGraph } from './nested-graph.ts';

interface FoldButtonProps {
  readonly name: string;
  readonly fold: Fold;
  readonly zoom: CardZoom;
  /** For a card inside another card: the canvas shortcuts do not reach it, so it is in the tab order. */
  readonly isTabbed?: boolean;
}

/**
 * Button at the lower edge of a card that runs a sub-workflow: its number of steps, or why it cannot be drawn
 * here.
 */
export function FoldButton({ name, fold, zoom, isTabbed = false }: FoldButtonProps) {
  const { folding } = useCanvasActions();
  const { show } = useOpenWorkflow();
  const label = foldLabel(fold);
  if (label === undefined || zoom === 'far') return null;
  const isOpen = fold.state === 'open';
  const error = foldBlocker(fold);
  const press = (act: () => void) => (event: React.MouseEvent) => {
    event.stopPropagation();
    act();
  };
  return (
    <div className={styles.row} data-zoom={zoom}>
      <button
        type="button"
        tabIndex={isTabbed ? 0 : -1}
        className={`${styles.pill} nodrag nopan`}
        data-refused={error === undefined ? undefined : fold.state}
        {...(error === undefined && { 'aria-expanded': isOpen })}
        aria-label={`${name} runs ${fold.target}: ${label}`}
        title={error ?? (isOpen ? `Collapse ${fold.target}` : `Expand ${fold.target}`)}
        onDoubleClick={(event) => event.stopPropagation()}
        onClick={press(() => folding.toggle(fold))}
      >
        <FoldIcon state={fold.state} size={zoom === 'near' ? 14 : 20} />
        {label}
      </button>
      {isOpen && zoom === 'near' && (
        <button
          type="button"
          tabIndex={isTabbed ? 0 : -1}
          className={`${styles.pill} nodrag nopan`}
          data-bare=""
          aria-label={`Open ${fold.target} in the editor`}
          title={`Open ${fold.target} in the editor`}
          onDoubleClick={(event) => event.stopPropagation()}
          onClick={press(() => show(fold))}
        >
          <LogIn size={14} aria-hidden="true" />
        </button>
      )}
    </div>
  );
}

function FoldIcon({ state, size }: { readonly state: Fold['state']; readonly size: number }) {
  const Icon = icons[state];
  return <Icon size={size} aria-hidden="true" />;
}

const icons: Readonly<Record<Fold['state'], LucideIcon>> = {
  folded: ChevronRight,
  open: ChevronDown,
  loading: ChevronRight,
  recursive: RefreshCw,
  missing: CircleAlert,
  broken: CircleAlert,
  large: LogIn,
};

/** Returns a function that opens a workflow in the editor, in the current views or on the page of its file. */
function useOpenWorkflow() {
  const session = useEditorSession();
  const [, navigate] = useLocation();
  return {
    /** @param step a step of the workflow to select */
    show({ home }: Fold, step?: Pick<NodeRef, 'section' | 'name'>): void {
      if (!home) return;
      const { fileName, document } = home;
      if (fileName !== session.fileName) return navigate(paths.editor(fileName));
      if (step) session.select([{ ...step, ...(document !== undefined && { document }) }], 'canvas');
      else session.selectWorkflow(document, 'canvas');
    },
  };
}

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
