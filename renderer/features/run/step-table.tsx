import { memo } from 'react';
import type { RunDetailView, StepRunView } from '../../../core/contract/run-views.ts';
import type { NodeRef } from '../../graph/workflow-graph.tsx';
import { pressRow } from '../../ui/layout/row-press.ts';
import table from '../../ui/layout/table.module.css';
import { StatusBadge } from '../../ui/status/status-badge.tsx';
import { Duration } from '../../ui/time/duration.tsx';
import styles from './run.module.css';

interface StepListProps {
  readonly run: RunDetailView;
  readonly selected: NodeRef | undefined;
  readonly onSelect: (node: NodeRef) => void;
}

/** Steps and handlers with how they ended. */
export function StepTable({ run, selected, onSelect }: StepListProps) {
  const row = (step: StepRunView) => (
    <StepRow
      key={`${step.section}:${step.name}`}
      step={step}
      selected={selected?.section === step.section && selected.name === step.name}
      onSelect={onSelect}
    />
  );
  return (
    <div className={table.scroll}>
      <table className={`${table.table} ${styles.steps}`}>
        <thead>
          <tr>
            <th scope="col">Step</th>
            <th scope="col">Status</th>
            <th scope="col" className={table.number}>
              Tries
            </th>
            <th scope="col" className={table.number}>
              Exit
            </th>
            <th scope="col" className={table.number}>
              Duration
            </th>
          </tr>
        </thead>
        <tbody>{run.steps.map(row)}</tbody>
        {run.handlers.length > 0 && (
          <tbody>
            <tr className={styles.groupRow}>
              <th colSpan={5} scope="colgroup">
                Handlers
              </th>
            </tr>
            {run.handlers.map(row)}
          </tbody>
        )}
      </table>
    </div>
  );
}

interface StepRowProps {
  readonly step: StepRunView;
  readonly selected: boolean;
  readonly onSelect: (node: NodeRef) => void;
}

const StepRow = memo(function StepRow({ step, selected, onSelect }: StepRowProps) {
  const select = (): void => onSelect({ section: step.section, name: step.name });
  return (
    <tr className={table.row} aria-selected={selected} {...pressRow(select)}>
      <td>
        <button type="button" className={styles.stepName} onClick={select}>
          {step.name}
        </button>
        {step.error !== undefined && step.status !== 'succeeded' && (
          <div className={styles.stepError} title={step.error}>
            {step.error}
          </div>
        )}
      </td>
      <td>
        <StatusBadge status={step.status} />
      </td>
      <td className={`${table.number} ${table.muted}`}>
        {step.attempts.length > 1 ? step.attempts.length : ''}
      </td>
      <td className={`${table.number} ${table.muted}`}>{step.signal ?? step.exitCode ?? ''}</td>
      <td className={table.number}>
        <Duration startedAt={step.startedAt} finishedAt={step.finishedAt} />
      </td>
    </tr>
  );
});
