import { Inbox, Play, Square, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { AppError } from '../../../core/base/errors.ts';
import { DiagnosticList, SeverityMark, StatusBadge } from '../../ui/status.tsx';
import { paths } from '../../navigation/address.ts';
import { Button } from '../../ui/button.tsx';
import { Breadcrumb, Tabs } from '../../ui/tabs.tsx';
import { EmptyState, Notice, QueryState, Quote } from '../../ui/state.tsx';
import { DetailList } from '../../ui/detail-list.tsx';
import { SortHeader } from '../../ui/list/table-row.tsx';
import table from '../../ui/list/list.module.css';
import { Dialog, FormDialog } from '../../ui/dialog.tsx';
import { ActionMenu } from '../../ui/menu.tsx';
import { showToast } from '../../ui/toasts.tsx';
import styles from './gallery.module.css';
import { Section } from './control-samples.tsx';

const diagnostics = [
  {
    severity: 'error',
    line: 7,
    column: 15,
    message: 'Unknown step "fetsh". Did you mean "fetch"?',
  },
  {
    severity: 'warning',
    line: 112,
    column: 3,
    message: '"mailOnError" is deprecated. Use "mailOn.failure".',
  },
] as const;

/** Diagnostics of a workflow file in each severity. */
function DiagnosticSamples() {
  return (
    <Section title="Problems in a file">
      <div className={styles.row}>
        <SeverityMark severity="error" />
        <SeverityMark severity="warning" />
        <SeverityMark severity="info" />
      </div>
      <div className={styles.box}>
        <DiagnosticList
          label="Problems"
          diagnostics={diagnostics.map((one) => ({ ...one, file: '', path: '' }))}
          onGo={() => undefined}
        />
      </div>
    </Section>
  );
}

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
        <Breadcrumb trail={[{ href: paths.runs }, { label: 'monthly-summary', href: paths.gallery }]} />
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

/** Overlays, each opened by its button. */
export function OverlaySamples() {
  const [open, setOpen] = useState<'dialog' | 'danger'>();
  const close = (): void => setOpen(undefined);
  const undo = { label: 'Undo', run: () => showToast('info', 'Restored.') };
  return (
    <Section title="Overlays">
      <div className={styles.row}>
        <Button onPress={() => setOpen('dialog')}>Open a dialog</Button>
        <Button onPress={() => setOpen('danger')}>Open a confirmation</Button>
        <ActionMenu
          label="Actions"
          actions={[
            { id: 'run', label: 'Run with defaults', icon: Play },
            { id: 'stop', label: 'Stop', icon: Square, unavailable: 'Not running' },
            { id: 'delete', label: 'Delete…', icon: Trash2, isDanger: true, beginsGroup: true },
          ]}
        >
          <Button>Open a menu</Button>
        </ActionMenu>
        <Button onPress={() => showToast('info', 'Run started.')}>Show a message</Button>
        <Button onPress={() => showToast('info', 'nightly-backup deleted.', undo)}>
          Show message with undo
        </Button>
        <Button onPress={() => showToast('error', 'Disconnected from the engine.')}>Show an error</Button>
      </div>
      {open === 'dialog' && (
        <Dialog title="A dialog" onClose={close}>
          <p className={styles.dialogText}>Press Escape to close.</p>
        </Dialog>
      )}
      {open === 'danger' && (
        <FormDialog
          title="Delete nightly-backup?"
          submit={{ label: 'Delete workflow', icon: Trash2, isDanger: true, isPending: false }}
          error={null}
          onSubmit={close}
          onClose={close}
        >
          <p>Its 24 runs are kept.</p>
        </FormDialog>
      )}
    </Section>
  );
}
