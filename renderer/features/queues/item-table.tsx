import { ArrowDown, ArrowUp, ArrowUpToLine, X } from 'lucide-react';
import { useMemo } from 'react';
import { Link, useLocation } from 'wouter';
import type { QueueItemView } from '../../../core/contract/queues.ts';
import { useDequeue, useMoveItem } from '../../api/system-queries.ts';
import { useCan } from '../../api/session-queries.ts';
import { paths } from '../../navigation/address.ts';
import { shortenRunId, shortenRunIds } from '../../format/values.ts';
import { IconButton } from '../../ui/button.tsx';
import table from '../../ui/list/list.module.css';
import { useStableRows } from '../../ui/list/row-state.ts';
import { VirtualTable, type Column } from '../../ui/list/virtual-table.tsx';
import { showError, showToast } from '../../ui/toasts.tsx';
import { RelativeTime } from '../../ui/time.tsx';
import styles from './queues.module.css';

interface ItemTableProps {
  readonly queue: string;
  readonly items: readonly QueueItemView[];
  readonly foot: React.ReactNode;
}

interface PositionedItem extends QueueItemView {
  /** From 1; 0 for a run that a host is starting. */
  readonly position: number;
}

const getItemKey = ({ run }: PositionedItem): string => `${run.name}/${run.dagRunId}`;

/** Queued runs in start order, with their wait reasons. */
export function ItemTable({ queue, items, foot }: ItemTableProps) {
  const [, navigate] = useLocation();
  const claimed = items.filter(({ claimedAt }) => claimedAt !== undefined).length;
  const rows = useStableRows(
    useMemo(
      () => items.map((item, index) => ({ ...item, position: Math.max(0, index + 1 - claimed) })),
      [items, claimed],
    ),
    getItemKey,
  );
  const waiting = items.length - claimed;
  const hasPriorities = items.some(({ priority }) => priority !== 0);
  const columns = useMemo(
    () => getColumns(queue, waiting).filter(({ id }) => hasPriorities || id !== 'priority'),
    [queue, waiting, hasPriorities],
  );
  return (
    <VirtualTable
      label={`Queued runs in ${queue}`}
      rows={rows}
      columns={columns}
      getKey={getItemKey}
      getName={({ run }) => run.name}
      onOpen={({ run }) => navigate(paths.run(run.name, run.dagRunId))}
      minWidth={680}
      foot={foot}
    />
  );
}

/** Formats a wait reason without the name of the table's own queue. */
function writeReason(reason: string, queue: string): string {
  const start = `queue ${queue} `;
  return shortenRunIds(reason.startsWith(start) ? reason.slice(start.length) : reason);
}

const getColumns = (queue: string, waiting: number): readonly Column<PositionedItem>[] => [
  {
    id: 'position',
    header: '#',
    width: '48px',
    isNumber: true,
    cell: ({ position }) => (position === 0 ? '…' : position),
  },
  {
    id: 'run',
    header: 'Run',
    width: '30%',
    cell: ({ run }) => (
      <Link href={paths.run(run.name, run.dagRunId)} className={table.rowLink} title={run.dagRunId}>
        {run.name} <span className={styles.id}>{shortenRunId(run.dagRunId)}</span>
      </Link>
    ),
  },
  {
    id: 'reason',
    header: 'Reason',
    cell: ({ run }) => (
      <span className={table.muted} title={run.error}>
        {run.error && writeReason(run.error, queue)}
      </span>
    ),
  },
  { id: 'priority', header: 'Priority', width: '76px', isNumber: true, cell: ({ priority }) => priority },
  {
    id: 'since',
    header: 'Queued',
    width: '100px',
    cell: ({ enqueuedAt }) => (
      <span className={table.muted}>
        <RelativeTime iso={enqueuedAt} />
      </span>
    ),
  },
  {
    id: 'actions',
    header: <span className="visually-hidden">Actions</span>,
    width: '158px',
    isNumber: true,
    cell: (item) => <ItemActions queue={queue} item={item} waiting={waiting} />,
  },
];

interface ItemActionsProps {
  readonly queue: string;
  readonly item: PositionedItem;
  readonly waiting: number;
}

function ItemActions({ queue, item: { run, position, claimedAt }, waiting }: ItemActionsProps) {
  const move = useMoveItem();
  const dequeue = useDequeue();
  const may = useCan('queues.move');
  if (claimedAt !== undefined) return <span className={table.faint}>starting</span>;
  const { name, dagRunId } = run;
  const to = (newPosition: number) => () =>
    move.mutate({ queue, name, dagRunId, position: newPosition }, { onError: showError });
  const shared = { size: 'small', unavailable: may.reason } as const;
  const what = `${name} ${shortenRunId(dagRunId)}`;
  return (
    <span className={styles.actions}>
      <IconButton
        {...shared}
        icon={ArrowUpToLine}
        label={`Move ${what} to the front`}
        isDisabled={position === 1}
        onPress={to(1)}
      />
      <IconButton
        {...shared}
        icon={ArrowUp}
        label={`Move ${what} up`}
        isDisabled={position === 1}
        onPress={to(position - 1)}
      />
      <IconButton
        {...shared}
        icon={ArrowDown}
        label={`Move ${what} down`}
        isDisabled={position === waiting}
        onPress={to(position + 1)}
      />
      <IconButton
        {...shared}
        icon={X}
        label={`Remove ${what} from the queue`}
        onPress={() =>
          dequeue.mutate(
            { name, dagRunId },
            {
              onSuccess: () => showToast('info', `${what} removed from ${queue}.`),
              onError: showError,
            },
          )
        }
      />
    </span>
  );
}
