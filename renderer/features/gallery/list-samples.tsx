import { Pause, Play, Trash2 } from 'lucide-react';
import { useMemo, useState } from 'react';
import { runStatuses, stepStatuses, type RunStatus } from '../../../core/model/run.ts';
import { statusLabels } from '../../format/labels.ts';
import { StatusBadge, StatusShape, toStatusOptions } from '../../ui/status.tsx';
import { StatusMeter, StatusSparkline } from '../../ui/status-charts.tsx';
import { Button } from '../../ui/button.tsx';
import { SearchField } from '../../ui/fields.tsx';
import table from '../../ui/list/list.module.css';
import { BulkBar } from '../../ui/list/bulk.tsx';
import { ChoiceMenu, FilterBar, FilterSpacer } from '../../ui/list/filter-bar.tsx';
import { LoadMore } from '../../ui/list/list-end.tsx';
import { RowButton } from '../../ui/list/row-controls.tsx';
import { useSelection } from '../../ui/list/row-state.ts';
import { VirtualTable, type Column } from '../../ui/list/virtual-table.tsx';
import { TimestampCell } from '../../ui/time.tsx';
import { type ApprovalState, stateStyles } from '../../api/approval-queries.ts';
import { ApprovalStateBadge } from '../approvals/approval-answer.tsx';
import styles from './gallery.module.css';
import { Section } from './control-samples.tsx';

const sizes = [12, 14, 16, 24];

const meters = [
  { text: '0 of 120 done', segments: [] },
  {
    text: '37 of 120 done, 2 failed, 10 running',
    segments: [
      { status: 'succeeded', count: 35, done: true },
      { status: 'failed', count: 2, done: true },
      { status: 'running', count: 10, done: false },
    ],
  },
  { text: '120 of 120 done', segments: [{ status: 'succeeded', count: 120, done: true }] },
] as const;

const approvalStates = Object.keys(stateStyles) as ApprovalState[];

/** Icons, labels and colors of run statuses and approval states. */
export function StatusSamples() {
  return (
    <Section title="Status">
      <table className={styles.statusTable}>
        <tbody>
          {stepStatuses.map((status) => (
            <tr key={status}>
              {sizes.map((size) => (
                <td key={size}>
                  <StatusShape status={status} size={size} />
                </td>
              ))}
              <td>
                <StatusBadge status={status} />
              </td>
              <td>
                <StatusBadge status={status} variant="pill" />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <div className={styles.row}>
        {approvalStates.map((state) => (
          <ApprovalStateBadge key={state} state={state} />
        ))}
      </div>
      {meters.map((segments) => (
        <StatusMeter key={segments.text} label="Items" total={120} {...segments} />
      ))}
      <div className={styles.sparks}>
        {runStatuses.map((status) => (
          <span key={status} className={styles.spark}>
            <StatusSparkline statuses={Array.from({ length: 10 }, () => status)} />
            {statusLabels[status]}
          </span>
        ))}
      </div>
    </Section>
  );
}

interface Job {
  readonly name: string;
  readonly status: RunStatus;
  readonly recent: readonly RunStatus[];
}

const jobs: readonly Job[] = [
  { name: 'sales-etl', status: 'succeeded', recent: ['succeeded', 'failed', 'succeeded'] },
  { name: 'nightly-backup', status: 'failed', recent: ['succeeded', 'aborted', 'failed'] },
  {
    name: 'a-workflow-with-a-name-as-long-as-names-of-workflows-may-become-here',
    status: 'running',
    recent: ['partially_succeeded', 'queued', 'running'],
  },
  { name: 'never-run', status: 'not_started', recent: [] },
];

const statusChoices = toStatusOptions(runStatuses);

const columns: readonly Column<Job>[] = [
  {
    id: 'name',
    header: 'Name',
    sort: { label: 'Name', sorted: 'asc', onSort: () => undefined },
    cell: ({ name }) => <span className={table.rowLink}>{name}</span>,
  },
  { id: 'status', header: 'Status', width: '150px', cell: ({ status }) => <StatusBadge status={status} /> },
  {
    id: 'recent',
    header: 'Recent',
    width: '92px',
    cell: ({ recent }) => <StatusSparkline statuses={recent} />,
  },
  { id: 'when', header: 'When', width: '128px', cell: () => <TimestampCell iso="2026-01-01T04:00:00Z" /> },
  {
    id: 'actions',
    header: <span className="visually-hidden">Actions</span>,
    width: '190px',
    isNumber: true,
    cell: ({ name, status }) => (
      <span className={styles.rowActions}>
        <RowButton icon={Play} label={`Run ${name}`} isPending={status === 'running'} onPress={nothing}>
          Run
        </RowButton>
        <RowButton icon={Pause} label={`Suspend ${name}`} pressed={status === 'failed'} onPress={nothing} />
        <RowButton
          icon={Trash2}
          label={`Delete ${name}`}
          unavailable={status === 'running' ? 'Running' : undefined}
          onPress={nothing}
        />
      </span>
    ),
  },
];

const getKey = ({ name }: Job): string => name;
const nothing = (): void => undefined;
const loadMoreProps = { hasNextPage: true, isFetchingNextPage: true, fetchNextPage: nothing };

/** Components of lists: filters, selection, sections, rows with controls, and the end with more to load. */
export function ListSamples() {
  const [words, setWords] = useState('');
  const [status, setStatus] = useState<RunStatus[]>(['failed']);
  const [folded, setFolded] = useState<readonly string[]>(['late']);
  const selection = useSelection(useMemo(() => jobs.map(getKey), []));
  const sections = useMemo(
    () =>
      (['early', 'late'] as const).map((id, index) => ({
        id,
        name: id === 'early' ? 'Early shift' : 'Late shift',
        summary: <span className={table.faint}>1 failed</span>,
        rows: jobs.slice(index * 3, index * 3 + 3),
        isFolded: folded.includes(id),
      })),
    [folded],
  );
  return (
    <Section title="Lists">
      <div className={`${styles.box} ${styles.list}`}>
        <FilterBar>
          <SearchField label="Search the sample" placeholder="Search" value={words} onChange={setWords} />
          <ChoiceMenu label="Status" values={status} choices={statusChoices} onChange={setStatus} />
          <FilterSpacer />
        </FilterBar>
        <BulkBar count={selection.keys.size} onClear={() => selection.clear()}>
          <Button size="small" icon={Play}>
            Run
          </Button>
        </BulkBar>
        <VirtualTable
          label="Sample list"
          rows={jobs}
          sections={sections}
          onFold={(id, isFolded) =>
            setFolded(isFolded ? [...folded, id] : folded.filter((other) => other !== id))
          }
          columns={columns}
          getKey={getKey}
          getName={getKey}
          onOpen={nothing}
          selection={selection}
          isRoomy
          minWidth={760}
          foot={<LoadMore query={loadMoreProps} />}
        />
      </div>
    </Section>
  );
}
