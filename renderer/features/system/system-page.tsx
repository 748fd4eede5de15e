import { Server } from 'lucide-react';
import { Suspense } from 'react';
import type { HostView } from '../../../core/contract/system.ts';
import { useHealth, hostsKey, useHosts } from '../../api/system-queries.ts';
import { Notice, EmptyState, QueryState } from '../../ui/state.tsx';
import { RelativeTime } from '../../ui/time.tsx';
import { useSystemChanges } from '../../api/use-system-changes.ts';
import table from '../../ui/list/list.module.css';
import { VirtualTable, type Column } from '../../ui/list/virtual-table.tsx';
import { useQueryParams } from '../../navigation/address.ts';
import { Page } from '../../ui/page.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { lazyComponent } from '../../base/lazy-component.ts';
import styles from './system.module.css';
import { SchedulerTab } from './scheduler-tab.tsx';
import { StoragePanel } from './storage-panel.tsx';
import { WorkersTab } from './workers-tab.tsx';
import { getPageLabel } from '../../navigation/navigation-items.ts';
import { paths } from '../../navigation/address.ts';

/** Problems of the engine; renders nothing while it is healthy. */
export function HealthProblems() {
  const problems = useHealth().data?.problems ?? [];
  return problems.map(({ code, message, since }) => (
    <Notice key={code} tone="error">
      {message} (<code>{code}</code>, started <RelativeTime iso={since} />)
    </Notice>
  ));
}

const kinds: Readonly<Record<HostView['kind'], string>> = {
  desktop: 'Desktop app',
  server: 'Server',
  scheduler: 'Scheduler',
  cli: 'Command',
};

/** The hosts that drive runs of the home directory. */
function HostsTab() {
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
            getKey={({ hostId }) => hostId}
            getName={({ hostname, pid }) => `${hostname} ${pid}`}
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
  { id: 'version', header: 'Version', width: '90px', cell: ({ version = '–' }) => version },
  {
    id: 'load',
    header: 'Load',
    width: '80px',
    isNumber: true,
    cell: ({ load }) => (load === undefined ? '–' : `${Math.round(load * 100)}%`),
  },
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

// The charts load their own library.
const ResourceCharts = lazyComponent(async () => (await import('./load-charts.tsx')).ResourceCharts);

const tabs = ['status', 'scheduler', 'hosts', 'workers'] as const;
type TabId = (typeof tabs)[number];

/** Status of the installation. */
export function SystemPage() {
  const [query, change] = useQueryParams();
  const requestedTab = query.get('tab') as TabId;
  return (
    <Page title={getPageLabel(paths.system)}>
      <Tabs
        label="System views"
        value={tabs.includes(requestedTab) ? requestedTab : 'status'}
        onChange={(tab) => change({ tab: tab === 'status' ? '' : tab })}
        tabs={[
          { id: 'status', label: 'Status', content: <Status /> },
          { id: 'scheduler', label: 'Scheduler', content: <SchedulerTab /> },
          { id: 'hosts', label: 'Hosts', content: <HostsTab /> },
          { id: 'workers', label: 'Workers', content: <WorkersTab /> },
        ]}
      />
    </Page>
  );
}

function Status() {
  return (
    <div className={styles.scroll}>
      <HealthProblems />
      <Suspense fallback={<div className={styles.chartsWaiting} />}>
        <ResourceCharts />
      </Suspense>
      <StoragePanel />
    </div>
  );
}
