import { Ban, Check } from 'lucide-react';
import { useMemo } from 'react';
import type { AuditEntryView } from '../../../core/contract/installation/audit.ts';
import { formatFull } from '../../format/time.ts';
import { shortenRunIds } from '../../format/run-id.ts';
import table from '../../ui/layout/table.module.css';
import { VirtualTable, type Column } from '../../ui/list/virtual-table.tsx';
import styles from './audit.module.css';

const ways = { ipc: 'Window', http: 'HTTP', cli: 'Command line' } as const;

interface AuditTableProps {
  readonly entries: readonly AuditEntryView[];
  readonly foot: React.ReactNode;
}

/** Entries of the trail, newest first. */
export function AuditTable({ entries, foot }: AuditTableProps) {
  const shown = useMemo(() => columns, []);
  return (
    <VirtualTable
      label="Audit trail"
      rows={entries}
      columns={shown}
      keyOf={({ id }) => String(id)}
      nameOf={({ operation, target }) => `${operation} ${target}`}
      minWidth={920}
      foot={foot}
    />
  );
}

const columns: readonly Column<AuditEntryView>[] = [
  { id: 'at', header: 'When', width: '216px', cell: ({ at }) => <time dateTime={at}>{formatFull(at)}</time> },
  { id: 'actor', header: 'Who', width: '13%', cell: ({ actor }) => <b className={styles.actor}>{actor}</b> },
  { id: 'operation', header: 'What', width: '17%', cell: ({ operation }) => <code>{operation}</code> },
  {
    id: 'target',
    header: 'Target',
    cell: ({ target }) => <span title={target}>{shortenRunIds(target)}</span>,
  },
  {
    id: 'via',
    header: 'From',
    width: '164px',
    cell: ({ via, address }) => (
      <span className={table.muted}>
        {ways[via]}
        {address !== undefined && ` · ${address}`}
      </span>
    ),
  },
  { id: 'outcome', header: 'Outcome', width: '152px', cell: ({ outcome }) => <Outcome outcome={outcome} /> },
];

function Outcome({ outcome }: { readonly outcome: string }) {
  const isDone = outcome === 'done';
  const Icon = isDone ? Check : Ban;
  return (
    <span className={styles.outcome} data-refused={!isDone || undefined}>
      <Icon size={14} aria-hidden="true" />
      {isDone ? 'Done' : outcome}
    </span>
  );
}
