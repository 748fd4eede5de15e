import { Suspense } from 'react';
import { useQueryParams } from '../../app/address.ts';
import { Page } from '../../ui/layout/page.tsx';
import { Tabs } from '../../ui/layout/tabs.tsx';
import { HealthProblems } from './health-problems.tsx';
import { HostsTab } from './hosts-tab.tsx';
import { SchedulerTab } from './scheduler-tab.tsx';
import { StoragePanel } from './storage-panel.tsx';
import { WorkersTab } from './workers/workers-tab.tsx';
import styles from './system.module.css';
import { lazyComponent } from '../../loading/lazy-part.ts';

// The charts load their own library.
const ResourceCharts = lazyComponent(async () => (await import('./charts/load-charts.tsx')).ResourceCharts);

const tabs = ['status', 'scheduler', 'hosts', 'workers'] as const;
type TabId = (typeof tabs)[number];

/** Status of the installation. */
export function SystemPage() {
  const [query, change] = useQueryParams();
  const requestedTab = query.get('tab') as TabId;
  return (
    <Page title="System">
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
