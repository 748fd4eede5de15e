import { Server } from 'lucide-react';
import type { HostView } from '../../../core/contract/installation/services.ts';
import { useSystemChanges } from '../../api/live/use-system-changes.ts';
import { hostsKey, useHosts } from '../../api/queries/operating/system-queries.ts';
import { EmptyState } from '../../ui/state/empty-state.tsx';
import { QueryState } from '../../ui/state/query-state.tsx';
import table from '../../ui/list/table.module.css';
import { VirtualTable, type Column } from '../../ui/list/virtual-table.tsx';
import { RelativeTime } from '../../ui/time/relative-time.tsx';
import styles from './system.module.css';

const kinds: Readonly<Record<HostView['kind'], string>> = {
  desktop: 'Desktop app',
  server: 'Server',
  scheduler: 'Scheduler',
  cli: 'Command',
};

/** The hosts that drive runs of the home directory. */
export function HostsTab() {
  const hosts = useHosts();
  useSystemChanges('hosts', hostsKey);
  return (
    <QueryState query={hosts} what="The hosts">
      {({ hosts: all }) =>
        all.length === 0 ? (
          <EmptyState icon={Server} title="No hosts yet">
            <p>Engine processes appear here after their first run.</p>
          </EmptyState>
        ) : (
          <VirtualTable
            label="Hosts"
            rows={all}
            columns={columns}
            keyOf={({ hostId }) => hostId}
            nameOf={({ hostname, pid }) => `${hostname} ${pid}`}
            minWidth={900}
          />
        )
      }
    </QueryState>
  );
}

const columns: readonly Column<HostView>[] = [
  {
    id: 'status',
    header: 'State',
    width: '28%',
    cell: ({ status, reason }) => (
      <span title={reason}>
        <span className={styles.state} data-state={status === 'active' ? 'active' : 'unknown'} />
        {status === 'active' ? 'Active' : `Offline${reason === undefined ? '' : `: ${reason}`}`}
      </span>
    ),
  },
  { id: 'kind', header: 'Type', cell: ({ kind }) => kinds[kind] },
  { id: 'host', header: 'Host', cell: ({ hostname }) => hostname },
  { id: 'pid', header: 'Process', width: '90px', isNumber: true, cell: ({ pid }) => pid },
  { id: 'runs', header: 'Active runs', width: '100px', isNumber: true, cell: ({ activeRuns }) => activeRuns },
  { id: 'since', header: 'Since', width: '130px', cell: ({ startedAt }) => <RelativeTime iso={startedAt} /> },
  {
    id: 'seen',
    header: 'Last heartbeat',
    width: '140px',
    cell: ({ lastSeenAt }) => (
      <span className={table.muted}>
        <RelativeTime iso={lastSeenAt} />
      </span>
    ),
  },
];
