import { Ban, Check } from 'lucide-react';
import { useMemo } from 'react';
import type { OperationName } from '../../../core/contract/operations.ts';
import { operationLabels } from '../../../core/contract/routes.ts';
import type { ErrorCode } from '../../../core/base/error-codes.ts';
import type { AuditEntryView } from '../../../core/contract/system.ts';
import { formatActor, isNamedActor } from '../../../core/model/run-event.ts';
import { formatFull } from '../../format/time.ts';
import { shortenRunIds } from '../../format/values.ts';
import table from '../../ui/list/list.module.css';
import { VirtualTable, type Column } from '../../ui/list/virtual-table.tsx';
import styles from './audit.module.css';

/** Describes an audit entry: `Stop a run`. The name of a removed operation is returned unchanged. */
export function formatEntry(operation: string): string {
  const options = operationLabels[operation as OperationName];
  return options === undefined ? operation : `${options[0]!.toUpperCase()}${options.slice(1)}`;
}

const words: Readonly<Record<'done' | ErrorCode, string>> = {
  done: 'Succeeded',
  bad_request: 'Bad request',
  invalid_spec: 'Invalid workflow',
  not_running: 'Not running',
  not_queued: 'Not queued',
  unauthorized: 'Unauthorized',
  forbidden: 'Forbidden',
  not_found: 'Not found',
  method_not_allowed: 'Method not allowed',
  not_acceptable: 'Not acceptable',
  request_timeout: 'Request timed out',
  already_exists: 'Already exists',
  conflict: 'Conflict',
  max_run_reached: 'Too many active runs',
  still_running: 'Still running',
  nothing_to_retry: 'Nothing to retry',
  queue_closed: 'Queue closed',
  no_worker: 'No workers',
  stale_owner: 'Owned by another host',
  gone: 'Deleted',
  payload_too_large: 'Too large',
  unsupported_media_type: 'Unsupported media type',
  validation_failed: 'Validation failed',
  too_many_requests: 'Too many requests',
  headers_too_large: 'Headers too large',
  internal_error: 'Internal error',
  database_corrupt: 'Database corrupt',
  database_newer: 'Database too new',
  invalid_config: 'Invalid configuration',
  monitoring_off: 'Monitoring off',
  home_unusable: 'Home not usable',
  unavailable: 'Engine not ready',
  storage_full: 'Disk full',
};

/** Describes the outcome of an entry; an unknown code is returned unchanged. */
const formatOutcome = (outcome: string): string =>
  Object.hasOwn(words, outcome) ? words[outcome as ErrorCode] : outcome;

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
      getKey={({ id }) => String(id)}
      getName={({ operation, target }) => `${formatEntry(operation)} ${target}`}
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
    width: '22%',
    cell: ({ operation }) => <span title={operation}>{formatEntry(operation)}</span>,
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
  { id: 'outcome', header: 'Outcome', width: '24%', cell: ({ outcome }) => <Outcome outcome={outcome} /> },
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
      {formatOutcome(outcome)}
    </span>
  );
}
