import { Cpu } from 'lucide-react';
import type { OperationOutput } from '../../../core/contract/operations.ts';
import { useWorkers } from '../../api/system-queries.ts';
import { EmptyState } from '../../ui/layout/empty-state.tsx';
import { QueryState } from '../../ui/layout/query-state.tsx';
import { VirtualTable, type Column } from '../../ui/list/virtual-table.tsx';

type Worker = OperationOutput<'workers.list'>['workers'][number];

/** Workers of coordinators, on this machine and others. */
export function WorkersTab() {
  const workers = useWorkers();
  return (
    <QueryState query={workers} what="The list of workers">
      {({ workers: all }) =>
        all.length === 0 ? (
          <EmptyState icon={Cpu} title="No workers">
            <p>
              Everything runs on this machine, which needs no workers. A workflow with{' '}
              <code>workerSelector</code> asks for a worker with those labels; this release has no coordinator
              that workers could report to, so such a run waits in its queue and says so.
            </p>
          </EmptyState>
        ) : (
          <VirtualTable
            label="Workers"
            rows={all}
            columns={columns}
            keyOf={({ id }) => id}
            nameOf={({ id }) => id}
          />
        )
      }
    </QueryState>
  );
}

const columns: readonly Column<Worker>[] = [
  { id: 'id', header: 'Worker', cell: ({ id }) => id },
  {
    id: 'labels',
    header: 'Labels',
    cell: ({ labels }) =>
      Object.entries(labels)
        .map(([key, value]) => `${key}=${value}`)
        .join('  '),
  },
  {
    id: 'busy',
    header: 'Busy',
    isNumber: true,
    width: '110px',
    cell: ({ busyPollers, totalPollers }) => `${busyPollers}/${totalPollers}`,
  },
  {
    id: 'tasks',
    header: 'Runs',
    cell: ({ runningTasks }) => runningTasks.map(({ name }) => name).join(', '),
  },
];
