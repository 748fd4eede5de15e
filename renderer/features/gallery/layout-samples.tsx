import { Inbox } from 'lucide-react';
import { useState } from 'react';
import { AppError } from '../../../core/base/errors.ts';
import { paths } from '../../app/paths.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Breadcrumb } from '../../ui/layout/breadcrumb.tsx';
import { EmptyState } from '../../ui/state/empty-state.tsx';
import { DetailList } from '../../ui/layout/detail-list.tsx';
import { Notice } from '../../ui/state/notice.tsx';
import { QueryState } from '../../ui/state/query-state.tsx';
import { Quote } from '../../ui/state/quote.tsx';
import { SortHeader } from '../../ui/list/sort-header.tsx';
import table from '../../ui/list/table.module.css';
import { Tabs } from '../../ui/layout/tabs.tsx';
import { StatusBadge } from '../../ui/status/status-badge.tsx';
import { DiagnosticSamples } from './diagnostic-samples.tsx';
import styles from './gallery.module.css';
import { Section } from './section.tsx';

const rows = [
  ['sales-etl', 'succeeded'],
  ['nightly-backup', 'failed'],
  ['a-workflow-with-a-name-as-long-as-names-of-workflows-may-become-here', 'running'],
] as const;

const waiting = { data: undefined, error: null, refetch: () => undefined };
const refused = { ...waiting, error: new AppError('unavailable', 'Disconnected from the engine.') };

/** Page layout components and empty states. */
export function LayoutSamples() {
  const [tab, setTab] = useState('one');
  return (
    <>
      <Section title="Notices">
        <div className={styles.box}>
          <Notice tone="error" action={<Button size="small">Show build</Button>}>
            <strong>Step build failed</strong> with exit code 2.
          </Notice>
          <Notice tone="warning">Queue etl is full.</Notice>
          <Notice tone="info">The run is queued.</Notice>
          <Notice tone="asking" action={<Button size="small">Approve…</Button>}>
            <strong>Step release is waiting for approval:</strong> Release it?
          </Notice>
        </div>
      </Section>
      <DiagnosticSamples />
      <Section title="Tabs, trail, facts">
        <Breadcrumb
          trail={[
            { label: 'Runs', href: paths.runs },
            { label: 'monthly-summary', href: paths.gallery },
          ]}
        />
        <DetailList>
          <span>Started 12 min ago</span>
          <span>4.2 s</span>
        </DetailList>
        <div className={styles.box}>
          <Tabs
            label="Views"
            value={tab}
            onChange={setTab}
            tabs={['one', 'two'].map((id) => ({
              id,
              label: `View ${id}`,
              note: id === 'two' ? 3 : undefined,
              content: <p className={styles.padded}>The view {id}.</p>,
            }))}
          />
        </div>
      </Section>
      <Section title="Table">
        <SampleTable />
      </Section>
      <Section title="Empty, loading and error states">
        <EmptyStateSamples />
      </Section>
    </>
  );
}

function EmptyStateSamples() {
  return (
    <div className={styles.three}>
      <EmptyState icon={Inbox} title="Nothing here yet">
        <p>What this page shows, and one action.</p>
        <Button>Create</Button>
        <Quote text="A queue is only a crowd that has met the Dispatcher." />
      </EmptyState>
      <QueryState query={waiting} what="This list">
        {() => null}
      </QueryState>
      <QueryState query={refused} what="This list">
        {() => null}
      </QueryState>
    </div>
  );
}

function SampleTable() {
  return (
    <div className={styles.box}>
      <table className={table.table}>
        <thead>
          <tr>
            <SortHeader label="Name" sorted="asc" onSort={() => undefined} />
            <th scope="col">Status</th>
            <th scope="col" className={table.number}>
              Duration
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map(([name, status], index) => (
            <tr key={name} className={table.row} aria-selected={index === 1}>
              <td>{name}</td>
              <td>
                <StatusBadge status={status} />
              </td>
              <td className={table.number}>{index + 1}m 04s</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
