import { Eraser, Hourglass, Pause, Play } from 'lucide-react';
import { useState } from 'react';
import { pluralize } from '../../../core/base/text/pluralize.ts';
import type { QueueView } from '../../../core/contract/queues.ts';
import { useChangeQueue } from '../../api/queries/operating/queue-queries.ts';
import { useCan } from '../../api/session/permissions.ts';
import { Button } from '../../ui/controls/button.tsx';
import { FormDialog } from '../../ui/overlay/form-dialog.tsx';
import { showError } from '../../ui/overlay/show-error.ts';
import { showToast } from '../../ui/overlay/toasts.tsx';

/** Pauses, drains, resumes or clears a queue. */
export function QueueActions({ queue: { name, state, queuedCount } }: { readonly queue: QueueView }) {
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
          showToast('info', `${pluralize(count ?? 0, 'run')} removed from the queue ${name}`);
        },
      },
    );
  const shared = { size: 'small', isDisabled: isPending, unavailable: may.reason } as const;
  return (
    <>
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
      title={`Clear the queue ${name}?`}
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
