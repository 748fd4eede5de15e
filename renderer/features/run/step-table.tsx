import { useVirtualizer } from '@tanstack/react-virtual';
import { memo, useCallback, useMemo, useRef, useState } from 'react';
import type { RunDetailView, StepRunView } from '../../../core/contract/run-views.ts';
import { isAsking } from '../../format/values.ts';
import type { NodeRef } from '../../graph/workflow-graph.tsx';
import { Segmented } from '../../ui/choices.tsx';
import { clickableRow } from '../../ui/list/row-controls.tsx';
import table from '../../ui/list/list.module.css';
import { StatusBadge } from '../../ui/status.tsx';
import { Duration } from '../../ui/time.tsx';
import { ApprovalStateBadge } from '../approvals/approval-answer.tsx';
import { moveRow } from './item-list.tsx';
import { explainStep } from './run-reason.tsx';
import styles from './run.module.css';

interface StepListProps {
  readonly run: RunDetailView;
  readonly selected: NodeRef | undefined;
  readonly onSelect: (node: NodeRef) => void;
}

/** Row height in pixels. */
const rowHeight = 44;

/** Steps and handlers with their statuses and reasons. Only visible rows are rendered. */
export function StepTable({ run, selected, onSelect }: StepListProps) {
  const [filter, setFilter] = useState<'all' | 'failed'>('all');
  const box = useRef<HTMLDivElement>(null);
  const all = useMemo(() => [...run.steps, ...run.handlers], [run]);
  // If every step ran once, the column would be empty, and the reasons need the room.
  const hasAttempts = useMemo(() => all.some(({ attempts }) => attempts.length > 1), [all]);
  const broken = all.filter(({ status }) => status === 'failed' || status === 'aborted');
  const rows = filter === 'failed' && broken.length > 0 ? broken : all;
  // oxlint-disable-next-line react/incompatible-library -- only affects the React compiler, which is not used
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => box.current,
    estimateSize: () => rowHeight,
    overscan: 12,
  });
  const select = useCallback(
    ({ section, name }: StepRunView): void => onSelect({ section, name }),
    [onSelect],
  );
  const at = rows.findIndex(({ section, name }) => section === selected?.section && name === selected.name);
  const onKeyDown = (event: React.KeyboardEvent): void => {
    const to = moveRow(shortcutKeys[event.key] ?? event.key, at, rows.length);
    const row = to === undefined ? undefined : rows[to];
    if (to === undefined || row === undefined) return;
    event.preventDefault();
    select(row);
    virtual.scrollToIndex(to);
  };
  const row = (step: StepRunView, isSelected: boolean) => (
    <StepRow
      key={`${step.section}:${step.name}`}
      step={step}
      reason={readReason(run, step)}
      isSelected={isSelected}
      hasAttempts={hasAttempts}
      onSelect={select}
    />
  );
  const items = virtual.getVirtualItems();
  const before = items[0]?.start ?? 0;
  const after = virtual.getTotalSize() - (items.at(-1)?.end ?? 0);
  return (
    <>
      {broken.length > 0 && <TableBar filter={filter} count={broken.length} onChange={setFilter} />}
      {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- keys move the selection; its buttons have the focus */}
      <div ref={box} className={table.scroll} onKeyDown={onKeyDown}>
        <table className={`${table.table} ${styles.steps}`} aria-rowcount={rows.length + 1}>
          <StepHead hasAttempts={hasAttempts} />
          <tbody>
            {before > 0 && <Spacer height={before} columns={hasAttempts ? 5 : 4} />}
            {items.map(({ index }) => rows[index] && row(rows[index], index === at))}
            {after > 0 && <Spacer height={after} columns={hasAttempts ? 5 : 4} />}
          </tbody>
        </table>
      </div>
    </>
  );
}

const readReason = (run: RunDetailView, step: StepRunView): string =>
  explainStep(run, step)
    .map(({ text }) => text)
    .join('');

interface TableBarProps {
  readonly filter: 'all' | 'failed';
  /** Number of failed or aborted steps. */
  readonly count: number;
  readonly onChange: (filter: 'all' | 'failed') => void;
}

const TableBar = ({ filter, count, onChange }: TableBarProps) => (
  <div className={styles.tableBar}>
    <Segmented
      label="Show"
      value={filter}
      choices={[
        { value: 'all', label: 'All' },
        { value: 'failed', label: `Failed or aborted (${count.toLocaleString('en')})` },
      ]}
      onChange={onChange}
    />
  </div>
);

const shortcutKeys: Readonly<Record<string, string>> = { j: 'ArrowDown', k: 'ArrowUp' };

/** Takes the space of rows that are not rendered. */
const Spacer = ({ height, columns }: { readonly height: number; readonly columns: number }) => (
  <tr aria-hidden="true" className={styles.spacer}>
    {/* oxlint-disable-next-line jsx-a11y/control-has-associated-label -- a spacer */}
    <td colSpan={columns} style={{ height }} />
  </tr>
);

const StepHead = ({ hasAttempts }: { readonly hasAttempts: boolean }) => (
  <thead>
    <tr>
      <th scope="col">Step</th>
      <th scope="col">Status</th>
      {hasAttempts && (
        <th scope="col" className={table.number}>
          Attempts
        </th>
      )}
      <th scope="col" className={table.number}>
        Exit
      </th>
      <th scope="col" className={table.number}>
        Duration
      </th>
    </tr>
  </thead>
);

interface StepRowProps {
  readonly step: StepRunView;
  readonly reason: string;
  readonly isSelected: boolean;
  /** Whether any step has more than one attempt, so that the column is shown. */
  readonly hasAttempts: boolean;
  readonly onSelect: (step: StepRunView) => void;
}

const StepRow = memo(function StepRow({ step, reason, isSelected, hasAttempts, onSelect }: StepRowProps) {
  const select = (): void => onSelect(step);
  return (
    <tr className={table.row} aria-selected={isSelected} {...clickableRow(select)}>
      <td>
        <button type="button" className={styles.stepName} dir="auto" title={step.name} onClick={select}>
          {step.name}
        </button>
        {(reason !== '' || step.section === 'handler') && (
          <div className={styles.stepError} title={reason}>
            {reason === '' ? 'Handler' : reason}
          </div>
        )}
      </td>
      <td>
        <StatusBadge status={step.status} />
        {isAsking(step) && (
          <div className={styles.asks}>
            <ApprovalStateBadge state="open" />
          </div>
        )}
      </td>
      {hasAttempts && (
        <td className={`${table.number} ${table.muted}`}>
          {step.attempts.length > 1 ? step.attempts.length : ''}
        </td>
      )}
      <td className={`${table.number} ${table.muted}`}>{step.exitCode ?? step.signal ?? ''}</td>
      <td className={table.number}>
        <Duration startedAt={step.startedAt} finishedAt={step.finishedAt} />
      </td>
    </tr>
  );
});
