import { Plus } from 'lucide-react';
import { useState } from 'react';
import type { OperationOutput } from '../../../core/contract/operations.ts';
import { useCoordinators, useWorkers, workersKey } from '../../api/system-queries.ts';
import table from '../../ui/list/list.module.css';
import { RelativeTime } from '../../ui/time.tsx';
import { useSystemChanges } from '../../api/use-system-changes.ts';
import { useCan } from '../../api/session-queries.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState, Notice, QueryState } from '../../ui/state.tsx';
import { ScrollArea } from '../../ui/page.tsx';
import system from './system.module.css';
import styles from './system.module.css';
import { ConnectWorkerDialog, JoinTokens } from './join-tokens.tsx';
import { WorkerTable } from './worker-table.tsx';

/** The coordinators of the workers. */
function CoordinatorTable() {
  const all = useCoordinators().data?.coordinators ?? [];
  if (all.length === 0) return null;
  return (
    <ScrollArea className={system.workersBlock} aria-labelledby="coordinators">
      <h2 id="coordinators">Coordinators</h2>
      <table className={`${table.table} ${system.columns}`}>
        <thead>
          <tr>
            <th className={system.stateColumn}>State</th>
            <th className={system.addressColumn}>Address</th>
            <th className={`${table.number} ${system.countColumn}`}>Workers</th>
            <th>Host</th>
            <th className={system.sinceColumn}>Since</th>
            <th className={system.seenColumn}>Last heartbeat</th>
          </tr>
        </thead>
        <tbody>
          {all.map(({ id, url, status, workers, hostname, pid, version, startedAt, lastHeartbeatAt }) => (
            <tr key={id}>
              <td>
                <span className={system.state} data-state={status === 'active' ? 'active' : 'unknown'} />
                {status === 'active' ? 'Active' : 'Offline'}
              </td>
              <td className={table.code}>{url}</td>
              <td className={table.number}>{workers}</td>
              <td title={`Process ${pid}, version ${version}`}>{hostname}</td>
              <td>
                <RelativeTime iso={startedAt} />
              </td>
              <td className={table.muted}>
                <RelativeTime iso={lastHeartbeatAt} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollArea>
  );
}

/** Workers on this and other machines, their coordinators, and join tokens. */
export function WorkersTab() {
  useSystemChanges('workers', workersKey);
  const workers = useWorkers();
  const [isConnecting, setConnecting] = useState(false);
  const connect = <ConnectButton onPress={() => setConnecting(true)} />;
  return (
    <>
      <QueryState query={workers} what="The workers">
        {(answer) =>
          answer.workers.length === 0 && answer.tasks.ready === 0 ? (
            <NoWorkers>{connect}</NoWorkers>
          ) : (
            <Workers answer={answer} connect={connect} />
          )
        }
      </QueryState>
      {isConnecting && <ConnectWorkerDialog onClose={() => setConnecting(false)} />}
    </>
  );
}

function ConnectButton({ onPress }: { readonly onPress: () => void }) {
  const may = useCan('workers.createToken');
  return (
    <Button variant="primary" icon={Plus} unavailable={may.reason} onPress={onPress}>
      Connect worker
    </Button>
  );
}

const NoWorkers = ({ children }: { readonly children: React.ReactNode }) => (
  <EmptyState illustration="workers" title="No workers">
    <p>All steps run on this machine. Connect a worker to run steps on another one.</p>
    {children}
  </EmptyState>
);

interface WorkersProps {
  readonly answer: OperationOutput<'workers.list'>;
  readonly connect: React.ReactNode;
}

function Workers({ answer: { workers, tasks, errors }, connect }: WorkersProps) {
  const { ready, claimed, running, staleRefused } = tasks;
  return (
    <div className={styles.page}>
      {errors.map((error) => (
        <Notice key={error} tone="warning">
          {error}
        </Notice>
      ))}
      <div className={styles.bar}>
        <dl className={styles.counts}>
          <Count word="Queued steps" value={ready} />
          <Count word="Running steps" value={claimed + running} />
          <Count
            word="Late results rejected"
            value={staleRefused}
            hint="Results from workers that no longer own the step"
          />
        </dl>
        {connect}
      </div>
      <WorkerTable workers={workers} />
      <CoordinatorTable />
      <JoinTokens />
    </div>
  );
}

interface CountProps {
  readonly word: string;
  readonly value: number;
  readonly hint?: string;
}

const Count = ({ word, value, hint }: CountProps) => (
  <div title={hint}>
    <dt>{word}</dt>
    <dd>{value.toLocaleString('en')}</dd>
  </div>
);
