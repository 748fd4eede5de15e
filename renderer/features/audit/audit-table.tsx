import { Ban, Check } from 'lucide-react';
import { useMemo } from 'react';
import type { AuditEntryView } from '../../../core/contract/installation/audit.ts';
import { formatActor, isNamedActor } from '../../../core/model/run/actor.ts';
import { formatFull } from '../../format/time.ts';
import { shortenRunIds } from '../../format/run-id.ts';
import table from '../../ui/list/table.module.css';
import { VirtualTable, type Column } from '../../ui/list/virtual-table.tsx';
import { describeEntry } from './audit-words.ts';
import { describeOutcome } from './outcome-words.ts';
import styles from './audit.module.css';

const ways = { ipc: 'Desktop app', http: 'HTTP', cli: 'Command line' } as const;

interface AuditTableProps {
  readonly entries: readonly AuditEntryView[];
  readonly foot: React.ReactNode;
}

/** Audit entries, newest first. */
export function AuditTable({ entries, foot }: AuditTableProps) {
  const isNamed = useMemo(() => entries.some(hasActor), [entries]);
  return (
    <VirtualTable
      label="Audit log"
      rows={entries}
      columns={isNamed ? columns : withoutActor}
      keyOf={({ id }) => String(id)}
      nameOf={({ operation, target }) => `${describeEntry(operation)} ${target}`}
      minWidth={920}
      foot={foot}
    />
  );
}

const columns: readonly Column<AuditEntryView>[] = [
  { id: 'at', header: 'Time', width: '216px', cell: ({ at }) => <time dateTime={at}>{formatFull(at)}</time> },
  { id: 'actor', header: 'Actor', width: '13%', cell: ({ actor }) => <Actor name={actor} /> },
  {
    id: 'operation',
    header: 'Action',
    width: '24%',
    cell: ({ operation }) => <span title={operation}>{describeEntry(operation)}</span>,
  },
  {
    id: 'target',
    header: 'Target',
    cell: ({ target }) => <span title={target}>{shortenRunIds(target)}</span>,
  },
  {
    id: 'via',
    header: 'Source',
    width: '164px',
    cell: ({ via, address }) => (
      <span className={table.muted}>
        {ways[via]}
        {address !== undefined && ` · ${address}`}
      </span>
    ),
  },
  { id: 'outcome', header: 'Outcome', width: '176px', cell: ({ outcome }) => <Outcome outcome={outcome} /> },
];

const withoutActor = columns.filter(({ id }) => id !== 'actor');

/** Whether the actor is a user, and not only the access path. */
const hasActor = ({ actor }: AuditEntryView): boolean => isNamedActor(actor);

function Actor({ name }: { readonly name: string }) {
  if (isNamedActor(name)) return <b className={styles.actor}>{name}</b>;
  return (
    <span className={table.muted} title="No sign-in required">
      {formatActor(name)}
    </span>
  );
}

function Outcome({ outcome }: { readonly outcome: string }) {
  const isDone = outcome === 'done';
  const Icon = isDone ? Check : Ban;
  return (
    <span className={styles.outcome} data-refused={!isDone || undefined} title={outcome}>
      <Icon size={14} aria-hidden="true" />
      {describeOutcome(outcome)}
    </span>
  );
}
