import { Cpu, Plus } from 'lucide-react';
import { useState } from 'react';
import type { OperationOutput } from '../../../../core/contract/operations.ts';
import { useSystemChanges } from '../../../api/live/use-system-changes.ts';
import { useCan } from '../../../api/session/permissions.ts';
import { useWorkers, workersKey } from '../../../api/queries/operating/worker-queries.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { EmptyState } from '../../../ui/state/empty-state.tsx';
import { Notice } from '../../../ui/state/notice.tsx';
import { QueryState } from '../../../ui/state/query-state.tsx';
import { ConnectWorkerDialog } from './connect-worker-dialog.tsx';
import { CoordinatorTable } from './coordinator-table.tsx';
import { JoinTokens } from './join-tokens.tsx';
import { WorkerTable } from './worker-table.tsx';
import styles from './workers.module.css';

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
  <EmptyState icon={Cpu} title="No workers">
    <p>
      All steps run on this machine. To run steps with <code>workerSelector</code> on other machines, start{' '}
      <code>engine coordinator</code> here and <code>engine worker</code> there.
    </p>
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
