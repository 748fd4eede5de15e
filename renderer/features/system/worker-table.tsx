import { Ellipsis, Pause, Play, Trash2 } from 'lucide-react';
import { useMemo, useState } from 'react';
import { Link } from 'wouter';
import type { WorkerView } from '../../../core/contract/workers.ts';
import { useCan } from '../../api/session-queries.ts';
import { useChangeWorkers } from '../../api/system-queries.ts';
import { paths } from '../../navigation/address.ts';
import { IconButton } from '../../ui/button.tsx';
import table from '../../ui/list/list.module.css';
import { VirtualTable, type Column } from '../../ui/list/virtual-table.tsx';
import { FormDialog } from '../../ui/dialog.tsx';
import { ActionMenu } from '../../ui/menu.tsx';
import { showError } from '../../ui/toasts.tsx';
import { RelativeTime } from '../../ui/time.tsx';
import styles from './system.module.css';
import system from './system.module.css';

/** The labels that `workerSelector` matches, by name. */
export function LabelList({ labels }: { readonly labels: Readonly<Record<string, string>> }) {
  const entries = Object.entries(labels);
  if (entries.length === 0) return null;
  return (
    <ul className={styles.labels} aria-label="Labels">
      {entries.map(([name, value]) => (
        <li key={name}>
          {name}={value}
        </li>
      ))}
    </ul>
  );
}

/** The workers with their current tasks. */
export function WorkerTable({ workers }: { readonly workers: readonly WorkerView[] }) {
  const [removing, setRemoving] = useState<WorkerView>();
  const columns = useMemo(() => listColumns(setRemoving), []);
  return (
    <>
      <VirtualTable
        label="Workers"
        rows={workers}
        columns={columns}
        getKey={({ id }) => id}
        getName={({ id }) => id}
        minWidth={980}
      />
      {removing && <RemoveWorkerDialog worker={removing} onClose={() => setRemoving(undefined)} />}
    </>
  );
}

const stateLabels = { active: 'Active', draining: 'Draining', gone: 'Offline' } as const;

/** Returns its state as a word; a late worker is marked. */
const getState = ({ state, healthStatus }: WorkerView): string =>
  state === 'active' && healthStatus === 'warning' ? 'Overdue' : stateLabels[state];

const listColumns = (onRemove: (worker: WorkerView) => void): readonly Column<WorkerView>[] => [
  {
    id: 'state',
    header: 'State',
    width: '110px',
    cell: (worker) => (
      <span>
        <span
          className={system.state}
          data-state={worker.healthStatus === 'healthy' ? 'active' : 'unknown'}
        />
        {getState(worker)}
      </span>
    ),
  },
  { id: 'id', header: 'Worker', width: '16%', cell: ({ id }) => <span className={table.code}>{id}</span> },
  { id: 'labels', header: 'Labels', width: '18%', cell: ({ labels }) => <LabelList labels={labels} /> },
  {
    id: 'busy',
    header: 'Busy',
    isNumber: true,
    width: '80px',
    cell: ({ busyPollers, totalPollers }) => `${busyPollers} of ${totalPollers}`,
  },
  { id: 'doing', header: 'Running', cell: ({ runningTasks }) => <WorkerActivity tasks={runningTasks} /> },
  {
    id: 'host',
    header: 'Host',
    width: '14%',
    cell: ({ hostname, pid, version }) => (
      <span title={`Process ${pid}, version ${version}`}>{hostname}</span>
    ),
  },
  {
    id: 'seen',
    header: 'Last heartbeat',
    width: '130px',
    cell: ({ lastHeartbeatAt }) => (
      <span className={table.muted}>
        <RelativeTime iso={lastHeartbeatAt} />
      </span>
    ),
  },
  {
    id: 'actions',
    header: <span className="visually-hidden">Actions</span>,
    width: '84px',
    // Right-aligned, like the actions on join tokens below.
    isNumber: true,
    cell: (worker) => <WorkerActions worker={worker} onRemove={onRemove} />,
  },
];

const WorkerActivity = ({ tasks }: { readonly tasks: WorkerView['runningTasks'] }) => (
  <span className={system.doing}>
    {tasks.map(({ name, dagRunId, step }) => (
      <Link key={`${name} ${dagRunId} ${step}`} href={paths.run(name, dagRunId)}>
        {name} · {step}
      </Link>
    ))}
  </span>
);

interface WorkerActionsProps {
  readonly worker: WorkerView;
  readonly onRemove: (worker: WorkerView) => void;
}

function WorkerActions({ worker, onRemove }: WorkerActionsProps) {
  const { id, state } = worker;
  const may = useCan('workers.drain');
  const drain = useChangeWorkers('workers.drain');
  const resume = useChangeWorkers('workers.resume');
  const change = state === 'draining' ? resume : drain;
  const act = (): void => change.mutate({ workerId: id }, { onError: showError });
  return (
    <ActionMenu
      label={`Actions on ${id}`}
      actions={[
        state === 'draining'
          ? { id: 'resume', label: 'Resume', icon: Play, run: act, unavailable: may.reason }
          : { id: 'drain', label: 'Drain', icon: Pause, run: act, unavailable: may.reason },
        {
          id: 'remove',
          label: 'Remove…',
          icon: Trash2,
          isDanger: true,
          beginsGroup: true,
          run: () => onRemove(worker),
          unavailable: may.reason,
        },
      ]}
    >
      <IconButton label={`Actions on ${id}`} icon={Ellipsis} size="small" />
    </ActionMenu>
  );
}

interface RemoveProps {
  readonly worker: WorkerView;
  readonly onClose: () => void;
}

/** Confirms removing a worker. */
function RemoveWorkerDialog({ worker: { id, runningTasks }, onClose }: RemoveProps) {
  const remove = useChangeWorkers('workers.remove');
  const count = runningTasks.length;
  return (
    <FormDialog
      title={`Remove ${id}?`}
      submit={{ label: 'Remove worker', icon: Trash2, isDanger: true, isPending: remove.isPending }}
      error={remove.error}
      onSubmit={() => remove.mutate({ workerId: id }, { onSuccess: onClose })}
      onClose={onClose}
    >
      <p>
        {count === 0
          ? 'No steps are running.'
          : `${count === 1 ? 'The running step' : `Each of the ${count} running steps`} fails with "worker lost" and is retried only if it has a retry policy.`}{' '}
        Its credential is revoked. To let it finish first, drain it instead.
      </p>
    </FormDialog>
  );
}
