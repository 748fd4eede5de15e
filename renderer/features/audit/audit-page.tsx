import { Ban, Check, CalendarDays, Download, FilterX, Lock, ScrollText } from 'lucide-react';
import { useMemo, useDeferredValue } from 'react';
import type { OperationName } from '../../../core/contract/operations.ts';
import { operationLabels } from '../../../core/contract/routes.ts';
import type { ErrorCode } from '../../../core/base/error-codes.ts';
import type { AuditEntryView } from '../../../core/contract/system.ts';
import { formatActor, isNamedActor } from '../../../core/model/run-event.ts';
import type { Bridge } from '../../../core/contract/transport.ts';
import { formatFull, getDayBounds } from '../../format/time.ts';
import { shortenRunIds } from '../../format/values.ts';
import table from '../../ui/list/list.module.css';
import { VirtualTable, type Column } from '../../ui/list/virtual-table.tsx';
import { type AuditFilter, useAudit, useCan } from '../../api/session-queries.ts';
import { useBridge } from '../../api/bridge.ts';
import { useQueryParams } from '../../navigation/address.ts';
import { Button } from '../../ui/button.tsx';
import { SearchField } from '../../ui/fields.tsx';
import { Select } from '../../ui/choices.tsx';
import { EmptyState, QueryState } from '../../ui/state.tsx';
import { Page } from '../../ui/page.tsx';
import { FilterBar } from '../../ui/list/filter-bar.tsx';
import { LoadMore } from '../../ui/list/list-end.tsx';
import { showError } from '../../ui/toasts.tsx';
import styles from './audit.module.css';
import { getPageLabel } from '../../navigation/navigation-items.ts';
import { paths } from '../../navigation/address.ts';

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
function AuditTable({ entries, foot }: AuditTableProps) {
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

/** Labels of the audit filter by the first word of the operation name. */
export const auditGroups: Readonly<Record<string, string>> = {
  dags: 'Workflows',
  runs: 'Runs',
  approvals: 'Approvals',
  queues: 'Queues',
  config: 'Configuration',
  secrets: 'Secrets',
  schedules: 'Schedules',
  services: 'Services',
  workers: 'Workers',
  webhooks: 'Sent webhooks',
  receivers: 'Received webhooks',
  pings: 'Pings',
  channels: 'Notification channels',
  rules: 'Notification rules',
  notifications: 'Notifications',
  gateway: 'Gateway',
  users: 'Users',
  tokens: 'API tokens',
  auth: 'Sign-in',
};

/** Columns of the export, by their names in the API; the label of the page is last. */
const fields = ['at', 'actor', 'via', 'address', 'operation', 'target', 'outcome'] as const;
/** Entries per response, the maximum of the API. */
const pageSize = 1000;

/**
 * Quotes a field of CSV (RFC 4180). A value that a spreadsheet would evaluate as a formula gets a leading
 * apostrophe.
 */
function quote(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Formats entries as CSV with a header row. */
export const toCsv = (entries: readonly AuditEntryView[]): string =>
  [
    [...fields, 'what'],
    ...entries.map((entry) => [...fields.map((field) => entry[field] ?? ''), formatEntry(entry.operation)]),
  ]
    .map((row) => row.map(quote).join(','))
    .map((line) => `${line}\r\n`)
    .join('');

/** Saves all entries that match a filter as a file. */
async function exportAudit(bridge: Bridge, filter: AuditFilter): Promise<void> {
  const entries: AuditEntryView[] = [];
  for (let cursor: string | undefined, isFirst = true; isFirst || cursor !== undefined; isFirst = false) {
    const answer = await bridge.call('audit.list', { ...filter, limit: pageSize, cursor });
    entries.push(...answer.entries);
    cursor = answer.nextCursor;
  }
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([toCsv(entries)], { type: 'text/csv' }));
  link.download = 'audit.csv';
  link.click();
  URL.revokeObjectURL(link.href);
}

/** The audit log. */
export function AuditPage() {
  const [query, change] = useQueryParams();
  const bridge = useBridge();
  const text = (field: string): string => query.get(field) ?? '';
  const filter = useDeferredValue(useMemo(() => toFilter(query), [query]));
  const may = useCan('audit.list');
  const audit = useAudit(filter, may.allowed);
  const clear = (): void => change(Object.fromEntries(filterFields.map((field) => [field, ''])));
  const entries = audit.data?.pages.flatMap((page) => page.entries) ?? [];
  const retention = audit.data?.pages[0]?.kept;
  const save = (): void => void exportAudit(bridge, filter).catch(showError);
  if (!may.allowed)
    return (
      <Page title={getPageLabel(paths.audit)}>
        <EmptyState icon={Lock} title="Only admins can view the audit log">
          <p>{may.reason}</p>
        </EmptyState>
      </Page>
    );
  return (
    <Page
      title={getPageLabel(paths.audit)}
      beside={
        retention && (
          <span className={styles.kept}>
            Last {retention.days} days, up to {retention.entries.toLocaleString('en')}
          </span>
        )
      }
      actions={
        <Button icon={Download} onPress={save} isDisabled={entries.length === 0}>
          Export CSV
        </Button>
      }
    >
      <AuditFilterBar
        text={text}
        onChange={change}
        onClear={filterFields.some((field) => text(field) !== '') ? clear : undefined}
      />
      <QueryState query={audit} what="The audit log">
        {() =>
          isInvalidDate(text('day')) ? (
            <EmptyState icon={ScrollText} title={`Invalid date "${text('day')}"`}>
              <p>Use the format 2026-01-31.</p>
            </EmptyState>
          ) : (
            <Entries
              entries={entries}
              audit={audit}
              onClear={Object.keys(filter).length > 0 ? clear : undefined}
            />
          )
        }
      </QueryState>
    </Page>
  );
}

interface EntriesProps {
  readonly entries: readonly AuditEntryView[];
  readonly audit: ReturnType<typeof useAudit>;
  /** Clears the filters; undefined when none are set. */
  readonly onClear: (() => void) | undefined;
}

function Entries({ entries, audit, onClear }: EntriesProps) {
  if (entries.length > 0) return <AuditTable entries={entries} foot={<LoadMore query={audit} />} />;
  if (audit.hasNextPage) return <LoadMore query={audit} />;
  if (onClear)
    return (
      <EmptyState icon={FilterX} title="No matching entries">
        <Button onPress={onClear}>Clear filters</Button>
      </EmptyState>
    );
  return (
    <EmptyState illustration="audit" title="No entries yet">
      <p>Changes to runs, workflows, users and tokens are recorded here.</p>
    </EmptyState>
  );
}

const isInvalidDate = (text: string): boolean => text !== '' && getDayBounds(text) === undefined;

/** Filters stored in the address. */
const filterFields = ['actor', 'operation', 'target', 'outcome', 'day'] as const;

function toFilter(query: URLSearchParams): AuditFilter {
  const [actor, operation, target, outcome, day] = filterFields.map((field) => query.get(field) ?? '');
  const bounds = day ? getDayBounds(day) : undefined;
  return {
    ...(actor && { actor }),
    ...(operation && { operation }),
    ...(target && { target }),
    ...((outcome === 'done' || outcome === 'refused') && { outcome }),
    ...(bounds && {
      fromDate: new Date(bounds.from).toISOString(),
      toDate: new Date(bounds.until).toISOString(),
    }),
  };
}

interface AuditFilterBarProps {
  readonly text: (field: string) => string;
  readonly onChange: (changes: Readonly<Record<string, string>>) => void;
  /** Clears the filters; undefined when none are set. */
  readonly onClear: (() => void) | undefined;
}

function AuditFilterBar({ text, onChange: change, onClear }: AuditFilterBarProps) {
  return (
    <FilterBar>
      <SearchField
        label="Search targets"
        placeholder="Workflow, run, user"
        value={text('target')}
        onChange={(target) => change({ target })}
      />
      <SearchField
        label="Actor"
        placeholder="Any actor"
        value={text('actor')}
        onChange={(actor) => change({ actor })}
      />
      <Select
        label="Action"
        value={text('operation')}
        choices={[
          { value: '', label: 'All actions' },
          ...Object.entries(auditGroups).map(([value, label]) => ({ value, label })),
        ]}
        onChange={(operation) => change({ operation })}
      />
      <Select
        label="Outcome"
        value={text('outcome')}
        choices={[
          { value: '', label: 'Any outcome' },
          { value: 'done', label: 'Succeeded' },
          { value: 'refused', label: 'Rejected' },
        ]}
        onChange={(outcome) => change({ outcome })}
      />
      <SearchField
        label="Date"
        icon={CalendarDays}
        placeholder="Date (2026-01-31)"
        value={text('day')}
        onChange={(day) => change({ day })}
      />
      {onClear && (
        <Button size="small" variant="quiet" onPress={onClear}>
          Clear filters
        </Button>
      )}
    </FilterBar>
  );
}
