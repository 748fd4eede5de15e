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
import { createContext, useContext } from 'react';
import { Button as AriaButton, Collection, TreeItem, TreeItemContent } from 'react-aria-components';
import type { NodeRef } from '../../../core/edit/edit-result.ts';
import { stepIcons } from '../../graph/step-icon.ts';
import { ActionMenu, type MenuAction } from '../../ui/overlay/menu.tsx';
import { useFolding } from '../canvas/state/folding-port.ts';
import { RowStatus } from '../run/marks/row-status.tsx';
import styles from './outline.module.css';
import type { OutlineRow, RowDetails } from './outline-rows.ts';
import type { OutlineActions } from './use-outline-actions.ts';

const DetailsContext = createContext<RowDetails>(new Map());
/** Provides details to the visible rows without going through the tree, which need not rerender. */
export const DetailsProvider = DetailsContext.Provider;

interface OutlineItemProps {
  readonly row: OutlineRow;
  readonly actions: OutlineActions;
}

/** One row of the tree with its children. */
export function OutlineItem({ row, actions }: OutlineItemProps) {
  const Icon = iconOf(row);
  return (
    <TreeItem id={row.key} textValue={describeRow(row)} className={styles.row}>
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
            <RowDetail of={row.key} />
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

const RowDetail = ({ of: key }: { readonly of: string }) => (
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

function iconOf({ kind, action }: OutlineRow): LucideIcon {
  if (kind === 'group') return Split;
  if (kind === 'handlers') return Flag;
  if (kind === 'document' || action === undefined) return ListTree;
  return (stepIcons as Readonly<Record<string, LucideIcon>>)[action] ?? stepIcons.command;
}

/** Returns the accessible name of a row, which typeahead matches too. */
function describeRow({ label, kind, depends, children }: OutlineRow): string {
  if (!depends) return `${label}, ${children.length} nested`;
  const waits = depends.length > 0 ? `, after ${depends.join(' and ')}` : '';
  return kind === 'handler' ? `${label} handler` : `${label}${waits}`;
}
