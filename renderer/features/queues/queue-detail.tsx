import { Eraser, Gauge, Hourglass, Pause, Play, Layers } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'wouter';
import { pluralize } from '../../../core/base/text.ts';
import type { QueueView } from '../../../core/contract/queues.ts';
import { formatActor } from '../../../core/model/run-event.ts';
import { useChangeQueue, useQueueItems } from '../../api/system-queries.ts';
import { useCan } from '../../api/session-queries.ts';
import { Button } from '../../ui/button.tsx';
import { FormDialog } from '../../ui/dialog.tsx';
import { showError, showToast } from '../../ui/toasts.tsx';
import { paths, withQuery } from '../../navigation/address.ts';
import { shortenRunId } from '../../format/values.ts';
import { EmptyState, Notice, QueryState } from '../../ui/state.tsx';
import { LoadMore, IdleQuote } from '../../ui/list/list-end.tsx';
import { StatusBadge } from '../../ui/status.tsx';
import { Duration } from '../../ui/time.tsx';
import { ItemTable } from './item-table.tsx';
import { LimitDialog } from './limit-dialog.tsx';
import styles from './queues.module.css';

/** Pauses, drains, resumes or clears a queue. */
function QueueActions({ queue }: { readonly queue: QueueView }) {
  const { name, state, queuedCount } = queue;
  const { mutate, isPending, error, reset } = useChangeQueue();
  const may = useCan('queues.pause');
  const [isAsking, setAsking] = useState(false);
  const set = (change: 'queues.pause' | 'queues.drain' | 'queues.resume'): void =>
    mutate({ change, queue: name }, { onError: showError });
  const clear = (): void =>
    mutate(
      { change: 'queues.clear', queue: name },
      {
        onSuccess: (count) => {
          setAsking(false);
          showToast('info', `${pluralize(count ?? 0, 'run')} removed from queue ${name}.`);
        },
      },
    );
  const shared = { size: 'small', isDisabled: isPending, unavailable: may.reason } as const;
  return (
    <>
      <LimitButton queue={queue} />
      {state === 'open' ? (
        <>
          <Button {...shared} icon={Pause} onPress={() => set('queues.pause')}>
            Pause
          </Button>
          <Button {...shared} icon={Hourglass} onPress={() => set('queues.drain')}>
            Drain
          </Button>
        </>
      ) : (
        <Button {...shared} variant="primary" icon={Play} onPress={() => set('queues.resume')}>
          Resume
        </Button>
      )}
      <Button
        {...shared}
        variant="danger"
        icon={Eraser}
        isDisabled={isPending || queuedCount === 0}
        onPress={() => {
          reset();
          setAsking(true);
        }}
      >
        Clear
      </Button>
      {isAsking && (
        <ClearQuestion
          name={name}
          count={queuedCount}
          isPending={isPending}
          error={error}
          onSubmit={clear}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  );
}

function LimitButton({ queue }: { readonly queue: QueueView }) {
  const may = useCan('queues.setLimit');
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button size="small" icon={Gauge} unavailable={may.reason} onPress={() => setOpen(true)}>
        Limit…
      </Button>
      {isOpen && <LimitDialog queue={queue} onClose={() => setOpen(false)} />}
    </>
  );
}

interface QuestionProps {
  readonly name: string;
  readonly count: number;
  readonly isPending: boolean;
  readonly error: unknown;
  readonly onSubmit: () => void;
  readonly onClose: () => void;
}

function ClearQuestion({ name, count, isPending, error, onSubmit, onClose }: QuestionProps) {
  const runs = pluralize(count, 'run');
  return (
    <FormDialog
      title={`Clear queue ${name}?`}
      submit={{ label: `Remove ${runs}`, icon: Eraser, isDanger: true, isPending }}
      error={error}
      onSubmit={onSubmit}
      onClose={onClose}
    >
      <p>
        {runs} queued in <b>{name}</b> will be aborted. Active runs continue. This cannot be undone, but{' '}
        {count === 1 ? 'it' : 'each run'} can be rerun from its page.
      </p>
    </FormDialog>
  );
}

/** One queue: active and queued runs, and its actions. */
export function QueueDetail({ queue }: { readonly queue: QueueView }) {
  const items = useQueueItems(queue.name);
  const { name, state, changedBy, running, runningCount, maxConcurrency } = queue;
  const by = changedBy === undefined ? '' : ` ${formatActor(changedBy)}`;
  const limit = maxConcurrency === undefined ? '' : ` of ${maxConcurrency}`;
  return (
    <section className={styles.detail} aria-label={`Queue ${name}`}>
      <header className={styles.detailHead}>
        <h2 dir="auto">{name}</h2>
        <span className={styles.kind}>
          {runningCount}
          {limit} active · {queue.queuedCount} queued
        </span>
        <span className={styles.space} />
        <QueueActions queue={queue} />
      </header>
      {state !== 'open' && (
        <Notice tone="info">
          {state === 'paused'
            ? `Paused${by}. Queued runs do not start; active runs continue.`
            : `Drained${by}. New runs are rejected; queued runs still start.`}
        </Notice>
      )}
      {running.length > 0 && (
        <ul className={styles.running} aria-label="Active runs">
          {running.map((run) => (
            <li key={`${run.name}/${run.dagRunId}`}>
              <StatusBadge status={run.status} />
              <Link href={paths.run(run.name, run.dagRunId)} title={run.dagRunId}>
                {run.name} <span className={styles.id}>{shortenRunId(run.dagRunId)}</span>
              </Link>
              <Duration startedAt={run.startedAt} finishedAt={undefined} />
            </li>
          ))}
        </ul>
      )}
      <QueryState query={items} what="The queued runs">
        {(waiting) =>
          waiting.length === 0 ? (
            <EmptyState icon={Layers} title="No queued runs">
              <p>
                <Link href={withQuery(paths.runs, { queue: name })}>View runs of this queue</Link>
              </p>
              {queue.runningCount === 0 && <IdleQuote />}
            </EmptyState>
          ) : (
            <ItemTable queue={name} items={waiting} foot={<LoadMore query={items} />} />
          )
        }
      </QueryState>
    </section>
  );
}
