import { Workflow } from 'lucide-react';
import { memo } from 'react';
import { Link } from 'wouter';
import type { ItemView } from '../../../core/contract/runs/items.ts';
import { paths } from '../../app/paths.ts';
import { shortenRunId } from '../../format/run-id.ts';
import { clickableRow } from '../../ui/list/row-press.ts';
import { StatusBadge } from '../../ui/status/status-badge.tsx';
import { Duration } from '../../ui/time/duration.tsx';
import styles from './items.module.css';

interface ItemRowProps {
  readonly item: ItemView;
  /** 0-based index among the shown rows. */
  readonly index: number;
  readonly count: number;
  /** Offset from the top of the list, in pixels. */
  readonly top: number;
  /** Whether this row is in the tab order. */
  readonly reachable: boolean;
  readonly onOpen: (item: number) => void;
  readonly onFocus: (index: number) => void;
}

/** One item: index, status, value, error, and links to its log and its run. */
export const ItemRow = memo(function ItemRow({ item, index, count, top, ...row }: ItemRowProps) {
  const { reachable, onOpen, onFocus } = row;
  const tabIndex = reachable ? 0 : -1;
  const open = (): void => onOpen(item.item);
  const focus = (): void => onFocus(index);
  const reason = item.status === 'succeeded' ? undefined : describeEnd(item);
  return (
    <li
      className={styles.row}
      data-index={index}
      aria-posinset={index + 1}
      aria-setsize={count}
      style={{ transform: `translateY(${top}px)` }}
      {...clickableRow(open)}
    >
      <span className={styles.number}>{item.item}</span>
      <StatusBadge status={item.status} />
      <span className={styles.what}>
        <button
          type="button"
          className={styles.value}
          tabIndex={tabIndex}
          title={item.value}
          aria-label={`Log of item ${item.item}: ${item.value}`}
          onClick={open}
          onFocus={focus}
        >
          <code>{item.value === '' ? '(empty)' : item.value}</code>
        </button>
        {reason !== undefined && (
          <span className={styles.reason} title={reason}>
            {reason}
          </span>
        )}
      </span>
      {item.subRun && (
        <Link
          href={paths.run(item.subRun.name, item.subRun.dagRunId)}
          className={styles.subRun}
          aria-label={`Run of ${item.subRun.name} for item ${item.item}`}
          title={`${item.subRun.name} ${item.subRun.dagRunId}`}
          tabIndex={tabIndex}
          onFocus={focus}
        >
          <Workflow size={14} aria-hidden="true" />
          <code>{shortenRunId(item.subRun.dagRunId)}</code>
        </Link>
      )}
      <span className={styles.time}>
        <Duration startedAt={item.startedAt} finishedAt={item.finishedAt} />
      </span>
    </li>
  );
});

const describeEnd = ({ error, signal, exitCode }: ItemView): string | undefined =>
  error ?? signal ?? (exitCode === undefined || exitCode === 0 ? undefined : `exit code ${exitCode}`);
