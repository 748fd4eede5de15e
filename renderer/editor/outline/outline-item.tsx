import { useLayoutEffect, useMemo, useRef, type RefObject, createContext, useContext } from 'react';
import {
  ArrowDown,
  ArrowUp,
  ChevronRight,
  Ellipsis,
  FileText,
  Flag,
  ListCollapse,
  ListTree,
  PenLine,
  Plus,
  ScrollText,
  Split,
  StepForward,
  Target,
  Trash2,
  type LucideIcon,
} from 'lucide-react';
import { Button as AriaButton, Collection, TreeItem, TreeItemContent } from 'react-aria-components';
import type { EditRequest } from '../../../core/edit/edit-request.ts';
import type { NodeRef } from '../../../core/edit/text-change.ts';
import { showToast } from '../../ui/toasts.tsx';
import { stepIcons } from '../../graph/step-icon.ts';
import { ActionMenu, type MenuAction } from '../../ui/menu.tsx';
import { findWorkflow, isSameNode } from '../session/node-selection.ts';
import type { EditorSession } from '../session/editor-session.ts';
import { useEditorCommands } from '../run/editor-commands.ts';
import type { RunCommands } from '../run/test-loop.ts';
import { useEditorSession } from '../session/panel-state.ts';
import { useFolding } from '../canvas/use-folds.ts';
import { RowStatus } from '../run/run-marks.tsx';
import type { OutlineRow, RowDetails } from './outline-rows.ts';
import { toNodeRef } from '../../../core/edit/outline.ts';
import styles from './outline.module.css';

/** Step edits of the outline. */
function createOutlineEdits(session: EditorSession) {
  const edit = async (request: EditRequest, label: string): Promise<void> => {
    const done = await session.edit(request, { label });
    if (!done.ok) showToast('error', done.reason);
  };
  return {
    /** Adds a placeholder step. @param after the step to insert it after. Default: the end */
    add(after: NodeRef | undefined): void {
      const document = after ? after.document : session.view.document;
      void edit(
        {
          kind: 'add-step',
          step: { value: { command: 'echo hello' } },
          name: 'new-step',
          ...(after && { after }),
          ...(document !== undefined && { document }),
        },
        'add step',
      );
    },
    /** Moves a step past the previous or next one. */
    move(step: NodeRef, by: -1 | 1): void {
      const { analysis } = session.view;
      const steps = (analysis && findWorkflow(analysis.outline, step.document))?.steps ?? [];
      const stepIndex = steps.findIndex((one) => isSameNode(one, step));
      const other = steps[stepIndex + by];
      if (stepIndex === -1 || !other) return;
      const beside = toNodeRef(other);
      void edit(
        { kind: 'move-step', step, ...(by === -1 ? { before: beside } : { after: beside }) },
        `move ${step.name} ${by === -1 ? 'up' : 'down'}`,
      );
    },
    /**
     * Removes steps and handlers; dependents of the removed steps depend on the steps' own dependencies
     * instead.
     */
    remove: (target: readonly NodeRef[]): void =>
      void edit(
        { kind: 'remove-steps', target, reconnect: true },
        target.length === 1 ? `delete ${target[0]!.name}` : `delete ${target.length} steps`,
      ),
  };
}

export interface OutlineActions {
  readonly edit: (ref: NodeRef) => void;
  readonly rename: (ref: NodeRef) => void;
  readonly run: RunCommands;
  readonly add: (after: NodeRef | undefined) => void;
  readonly remove: (refs: readonly NodeRef[]) => void;
  /** Moves by an offset among the steps; -1 is up. */
  readonly move: (ref: NodeRef, by: -1 | 1) => void;
  readonly onKeyDown: (event: React.KeyboardEvent) => void;
}

/**
 * Actions on rows, by menu and key: Enter edits, F2 renames, Delete deletes, Alt+Up and Alt+Down move, `+`
 * adds. The object is stable while the rows change, because a new one would rerender each row.
 */
export function useOutlineActions(
  index: ReadonlyMap<string, OutlineRow>,
  box: RefObject<HTMLElement | null>,
): OutlineActions {
  const session = useEditorSession();
  const commands = useEditorCommands();
  const newest = useRef(index);
  useLayoutEffect(() => {
    newest.current = index;
  }, [index]);
  return useMemo(() => {
    const { edit, rename, run } = commands;
    const actions = { edit, rename, run, ...createOutlineEdits(session) };
    const onKeyDown = (event: React.KeyboardEvent): void => {
      const focused = box.current?.querySelector<HTMLElement>('[role="row"][data-focused]');
      const ref = focused && newest.current.get(focused.dataset['key'] ?? '')?.ref;
      if (event.key === '+') actions.add(ref ?? undefined);
      else if (!ref || !(event.target instanceof HTMLElement) || event.target.role !== 'row') return;
      else if (event.key === 'F2') actions.rename(ref);
      else if (event.key === 'Delete') {
        const { selection } = session.view;
        actions.remove(selection.some((one) => isSameNode(one, ref)) ? selection : [ref]);
      } else if (event.altKey && event.key === 'ArrowUp') actions.move(ref, -1);
      else if (event.altKey && event.key === 'ArrowDown') actions.move(ref, 1);
      else return;
      event.preventDefault();
      event.stopPropagation();
    };
    return { ...actions, onKeyDown };
  }, [session, commands, box]);
}

const DetailsContext = createContext<RowDetails>(new Map());
/** Provides details to the visible rows without going through the tree, which need not rerender. */
export const DetailsProvider = DetailsContext.Provider;

interface OutlineItemProps {
  readonly row: OutlineRow;
  readonly actions: OutlineActions;
}

/** One row of the tree with its children. */
export function OutlineItem({ row, actions }: OutlineItemProps) {
  const Icon = getIcon(row);
  return (
    <TreeItem id={row.key} textValue={formatRow(row)} className={styles.row}>
      <TreeItemContent>
        {({ level, hasChildItems }) => (
          <div className={styles.line} style={{ paddingLeft: `${(level - 1) * 16 + 4}px` }}>
            {hasChildItems ? (
              <AriaButton slot="chevron" className={styles.chevron}>
                <ChevronRight size={14} aria-hidden="true" />
              </AriaButton>
            ) : (
              <span className={styles.chevron} />
            )}
            <Icon size={14} aria-hidden="true" className={styles.icon} />
            <span className={styles.name} data-kind={row.kind} dir="auto">
              {row.label}
            </span>
            <RowDetail rowKey={row.key} />
            {row.ref?.document === undefined && row.ref && <RowStatus step={row.ref} />}
            {row.ref && <RowMenu row={row} step={row.ref} actions={actions} />}
          </div>
        )}
      </TreeItemContent>
      {row.children.length > 0 && (
        <Collection items={row.children}>
          {(child) => <OutlineItem row={child} actions={actions} />}
        </Collection>
      )}
    </TreeItem>
  );
}

const RowDetail = ({ rowKey: key }: { readonly rowKey: string }) => (
  <span className={styles.detail}>
    <span>{useContext(DetailsContext).get(key)}</span>
  </span>
);

function RowMenu({ row, step, actions }: OutlineItemProps & { readonly step: NodeRef }) {
  const isStep = row.kind === 'step';
  const folding = useFolding(step);
  // Only steps of the main workflow can be run.
  const isRunnable = step.document === undefined;
  const items: MenuAction[] = [
    { id: 'edit', label: 'Edit', keys: 'Enter', icon: FileText, run: () => actions.edit(step) },
    ...(isStep
      ? [
          { id: 'rename', label: 'Rename…', keys: 'F2', icon: PenLine, run: () => actions.rename(step) },
          { id: 'add', label: 'Add step after', keys: '+', icon: Plus, run: () => actions.add(step) },
          ...(folding ? [{ id: 'fold', label: folding.label, icon: ListCollapse, run: folding.toggle }] : []),
          ...startGroup([
            { id: 'up', label: 'Move up', keys: 'Alt+↑', icon: ArrowUp, run: () => actions.move(step, -1) },
            {
              id: 'down',
              label: 'Move down',
              keys: 'Alt+↓',
              icon: ArrowDown,
              run: () => actions.move(step, 1),
            },
          ]),
        ]
      : []),
    ...(isRunnable ? runItems(step, isStep, actions) : []),
    ...startGroup([
      { id: 'delete', label: 'Delete', keys: 'Del', icon: Trash2, run: () => actions.remove([step]) },
    ]),
  ];
  return (
    <ActionMenu label={`Actions for ${row.label}`} actions={items}>
      <AriaButton className={styles.more} aria-label={`Actions for ${row.label}`}>
        <Ellipsis size={14} aria-hidden="true" />
      </AriaButton>
    </ActionMenu>
  );
}

const startGroup = ([first, ...rest]: readonly MenuAction[]): readonly MenuAction[] =>
  first ? [{ ...first, beginsGroup: true }, ...rest] : [];

function runItems(step: NodeRef, isStep: boolean, { run }: OutlineActions): readonly MenuAction[] {
  const log = { id: 'log', label: 'Show log', icon: ScrollText, run: () => run.showLog(step) };
  if (!isStep) return [log];
  return startGroup([
    { id: 'runStep', label: 'Run this step only', icon: Target, run: () => run.runStep(step.name) },
    { id: 'runUpTo', label: 'Run to this step', icon: StepForward, run: () => run.runUpTo(step.name) },
    log,
  ]);
}

function getIcon({ kind, action }: OutlineRow): LucideIcon {
  if (kind === 'group') return Split;
  if (kind === 'handlers') return Flag;
  if (kind === 'document' || action === undefined) return ListTree;
  return (stepIcons as Readonly<Record<string, LucideIcon>>)[action] ?? stepIcons.command;
}

/** Returns the accessible name of a row, which typeahead matches too. */
function formatRow({ label, kind, depends, children }: OutlineRow): string {
  if (!depends) return `${label}, ${children.length} nested`;
  const waits = depends.length > 0 ? `, after ${depends.join(' and ')}` : '';
  return kind === 'handler' ? `${label} handler` : `${label}${waits}`;
}
