import { ChevronDown, ChevronRight, CircleAlert, LogIn, RefreshCw, type LucideIcon } from 'lucide-react';
import { useLocation } from 'wouter';
import type { NodeRef } from '../../../../core/edit/edit-result.ts';
import { paths } from '../../../app/paths.ts';
import { useEditorSession } from '../../session/use-session.ts';
import { useCanvasActions } from '../commands/canvas-actions.ts';
import type { CardZoom } from '../flow/cards/card-zoom.ts';
import { foldLabel, foldBlocker, type Fold } from './resolve-folds.ts';
import styles from './sub-workflow.module.css';

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

/** Returns a function that shows a workflow in the editor, in the current views or on the page of its file. */
export function useOpenWorkflow() {
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
