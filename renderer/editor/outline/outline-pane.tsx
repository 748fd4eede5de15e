import { useDeferredValue, useMemo, useState, memo, useEffect, useRef } from 'react';
import { flushSync } from 'react-dom';
import { ListTree, PanelLeftClose, Plus } from 'lucide-react';
import { ListLayout, Tree, Virtualizer, type Key, type Selection } from 'react-aria-components';
import type { Outline } from '../../../core/edit/outline.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/state.tsx';
import { useSessionView, useEditorSession } from '../session/panel-state.ts';
import { findWorkflow } from '../session/node-selection.ts';
import { useEditorCommands } from '../run/editor-commands.ts';
import {
  getRefKey,
  getWorkflowKey,
  type OutlineRow,
  indexRows,
  listParents,
  listRows,
  reuseRows,
  type OutlineRows,
} from './outline-rows.ts';
import styles from './outline.module.css';
import { DetailsProvider, OutlineItem, useOutlineActions, type OutlineActions } from './outline-item.tsx';

interface SelectedKeys {
  readonly selectedKeys: readonly string[];
  /** Applies the current selection immediately: a press or key in the tree builds on it. */
  readonly catchUp: () => void;
}

/**
 * Returns the rows of the selection: of nodes, or of the shown further workflow. A selection made in another
 * view is applied in a separate task, because the library visits all rows of the tree.
 */
export function useSelectedKeys(index: ReadonlyMap<string, OutlineRow>): SelectedKeys {
  const selection = useSessionView((view) => view.selection);
  const document = useSessionView((view) => view.document);
  const isSelectedHere = useSessionView((view) => view.selectedIn === 'outline');
  const newest = useMemo(() => {
    const isWorkflow = selection.length === 0 && document !== undefined;
    const keys = isWorkflow ? [getWorkflowKey(document)] : selection.map(getRefKey);
    return keys.filter((key) => index.has(key));
  }, [selection, document, index]);
  const later = useDeferredValue(newest);
  const [applied, setApplied] = useState(newest);
  const selectedKeys = isSelectedHere || applied === newest ? newest : later;
  const catchUp = (): void => {
    if (selectedKeys !== newest) flushSync(() => setApplied(newest));
  };
  return { selectedKeys, catchUp };
}

const rowHeight = 32;
const layoutOptions = { rowHeight };

/** The steps of the file as a tree, with all step actions of the canvas. */
export function OutlinePane({ onClose }: { readonly onClose: () => void }) {
  // A long tree is rendered in the background, so that typing updates the canvas first.
  const outline = useDeferredValue(useSessionView((view) => view.outlined?.outline));
  const isBehind = useSessionView(({ analysis, outlined }) => analysis !== outlined);
  const selection = useSessionView((view) => view.selection);
  const { rows, details } = useRows(outline);
  const index = useMemo(() => indexRows(rows), [rows]);
  const [closed, setClosed] = useState<ReadonlySet<Key>>(new Set());
  const { selectedKeys, catchUp } = useSelectedKeys(index);
  const box = useRef<HTMLElement>(null);
  useRevealedRow(box, listVisible(rows, closed).indexOf(selectedKeys.at(-1) ?? ''));
  const actions = useOutlineActions(index, box);
  return (
    <section
      ref={box}
      className={styles.pane}
      aria-label="Outline"
      onPointerDownCapture={catchUp}
      onClickCapture={catchUp}
      onKeyDownCapture={(event) => {
        catchUp();
        actions.onKeyDown(event);
      }}
    >
      <OutlineHeader
        count={outline && (findWorkflow(outline)?.steps.length ?? 0)}
        onAdd={() => actions.add(selection.at(-1))}
        onClose={onClose}
      />
      {isBehind && <Behind isEmpty={outline === undefined} />}
      <DetailsProvider value={details}>
        <OutlineTree
          rows={rows}
          index={index}
          selectedKeys={selectedKeys}
          closed={closed}
          onClosed={setClosed}
          actions={actions}
          isRead={outline !== undefined}
        />
      </DetailsProvider>
    </section>
  );
}

interface OutlineTreeProps {
  readonly rows: readonly OutlineRow[];
  readonly index: ReadonlyMap<string, OutlineRow>;
  readonly selectedKeys: readonly string[];
  readonly closed: ReadonlySet<Key>;
  readonly onClosed: (closed: ReadonlySet<Key>) => void;
  readonly actions: OutlineActions;
  readonly isRead: boolean;
}

/**
 * Rerendered only for changed rows or a changed selection, because the library visits all rows on each render.
 */
const OutlineTree = memo(function OutlineTree({
  rows,
  index,
  selectedKeys,
  closed,
  onClosed,
  actions,
  isRead,
}: OutlineTreeProps) {
  const session = useEditorSession();
  const commands = useEditorCommands();
  const expanded = useMemo(() => listParents(rows).filter((key) => !closed.has(key)), [rows, closed]);
  const select = (keys: Selection): void => {
    const chosen = keys === 'all' ? [...index.keys()] : [...keys].map(String);
    const workflow = chosen.length === 1 ? index.get(chosen[0]!)?.document : undefined;
    if (workflow !== undefined) return session.selectWorkflow(workflow, 'outline');
    const refs = chosen.map((key) => index.get(key)?.ref).filter((ref) => ref !== undefined);
    if (refs.length > 0 || chosen.length === 0) session.select(refs, 'outline');
  };
  return (
    <Virtualizer layout={ListLayout} layoutOptions={layoutOptions}>
      <Tree
        aria-label="Steps"
        className={styles.tree}
        items={rows}
        dependencies={[actions]}
        selectionMode="multiple"
        selectionBehavior="replace"
        selectedKeys={selectedKeys}
        onSelectionChange={select}
        expandedKeys={expanded}
        onExpandedChange={(keys) => onClosed(new Set(listParents(rows).filter((key) => !keys.has(key))))}
        onAction={(key) => {
          const ref = index.get(String(key))?.ref;
          if (ref) commands.edit(ref);
        }}
        renderEmptyState={() => <NoSteps isRead={isRead} onAdd={() => actions.add(undefined)} />}
      >
        {(row) => <OutlineItem row={row} actions={actions} />}
      </Tree>
    </Virtualizer>
  );
});

/** Returns the keys of the rows that are not inside a collapsed one, in order. */
const listVisible = (rows: readonly OutlineRow[], closed: ReadonlySet<Key>): readonly string[] =>
  rows.flatMap(({ key, children }) => [key, ...(closed.has(key) ? [] : listVisible(children, closed))]);

/**
 * Scrolls the selected row into view, whichever view selected it. @param rowIndex index from the top; -1 for none
 */
function useRevealedRow(box: React.RefObject<HTMLElement | null>, rowIndex: number): void {
  useEffect(() => {
    if (rowIndex < 0) return;
    // The tree cannot be scrolled before its rows have been laid out.
    const frame = requestAnimationFrame(() => {
      const tree = box.current?.querySelector('[role="treegrid"]');
      if (!tree) return;
      const { scrollTop, clientHeight } = tree;
      const top = rowIndex * rowHeight;
      if (top < scrollTop || top + rowHeight > scrollTop + clientHeight)
        tree.scrollTop = top - (clientHeight - rowHeight) / 2;
    });
    return () => cancelAnimationFrame(frame);
  }, [box, rowIndex]);
}

interface OutlineHeaderProps {
  readonly count: number | undefined;
  readonly onAdd: () => void;
  readonly onClose: () => void;
}

const OutlineHeader = ({ count, onAdd, onClose }: OutlineHeaderProps) => (
  <div className={styles.head}>
    <h2>Steps</h2>
    <span className={styles.count}>{count}</span>
    <IconButton label="New step" icon={Plus} size="small" onPress={onAdd} />
    <IconButton label="Close outline" icon={PanelLeftClose} size="small" onPress={onClose} />
  </div>
);

interface VisibleOutline {
  readonly outline: Outline | undefined;
  readonly tree: OutlineRows;
}

const nothing: VisibleOutline = { outline: undefined, tree: { rows: [], details: new Map() } };

/** Returns the rows of the latest outline, sharing unchanged rows with the previous ones. */
function useRows(outline: Outline | undefined): OutlineRows {
  const [shown, setShown] = useState(nothing);
  if (shown.outline === outline) return shown.tree;
  const { rows, details } = outline ? listRows(outline) : nothing.tree;
  const tree = { rows: reuseRows(shown.tree.rows, rows), details };
  // State from the previous render, set during render as React documents for derived state.
  setShown({ outline, tree });
  return tree;
}

const Behind = ({ isEmpty }: { readonly isEmpty: boolean }) => (
  <p className={styles.behind}>{isEmpty ? 'Invalid YAML.' : 'Invalid YAML. Showing the last valid steps.'}</p>
);

function NoSteps({ isRead, onAdd }: { readonly isRead: boolean; readonly onAdd: () => void }) {
  if (!isRead) return null;
  return (
    <EmptyState icon={ListTree} title="No steps yet">
      <p>Steps define what this workflow runs.</p>
      <Button size="small" icon={Plus} onPress={onAdd}>
        Add first step
      </Button>
    </EmptyState>
  );
}
