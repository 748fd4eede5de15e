import { Gauge } from 'lucide-react';
import { useState } from 'react';
import type { QueueView } from '../../../core/contract/queues.ts';
import { useSetQueueLimit } from '../../api/system-queries.ts';
import { FormDialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/fields.tsx';
import { Segmented } from '../../ui/choices.tsx';
import { showToast } from '../../ui/toasts.tsx';

interface LimitDialogProps {
  /** Absent for a queue whose name is entered. */
  readonly queue?: QueueView;
  /** Called with the name of the changed queue. */
  readonly onSaved?: (queue: string) => void;
  readonly onClose: () => void;
}

const maxLimit = 1_000_000;

/** Sets or removes the limit of a queue. */
export function LimitDialog({ queue, onSaved, onClose }: LimitDialogProps) {
  const { mutate, isPending, error } = useSetQueueLimit();
  const [name, setName] = useState(queue?.name ?? '');
  const [source, setSource] = useState<'queue' | 'workflow'>('queue');
  const [limit, setLimit] = useState(String(queue?.maxConcurrency ?? 1));
  const isConfigured = queue?.type === 'global';
  const invalid = source === 'queue' ? findProblem(limit) : undefined;
  const submit = (): void =>
    mutate(
      { queue: name.trim(), maxConcurrency: source === 'queue' ? Number(limit) : null },
      {
        onSuccess: ({ name: saved }) => {
          const change = source === 'queue' ? `set to ${limit.trim()}` : 'removed';
          showToast('info', `Limit of queue ${saved} ${change}.`);
          onSaved?.(saved);
          onClose();
        },
      },
    );
  return (
    <FormDialog
      title={queue === undefined ? 'Add queue' : `Limit of queue ${queue.name}`}
      submit={{
        label: 'Save',
        icon: Gauge,
        isPending,
        isBlocked: name.trim() === '' || invalid !== undefined,
      }}
      error={error}
      onSubmit={submit}
      onClose={onClose}
    >
      {queue === undefined && <NameField name={name} onChange={setName} />}
      {isConfigured && (
        <Segmented
          label="Limit from"
          value={source}
          choices={[
            { value: 'queue', label: 'This queue' },
            { value: 'workflow', label: 'Workflows' },
          ]}
          onChange={setSource}
        />
      )}
      {source === 'queue' ? (
        <LimitField limit={limit} onChange={setLimit} autoFocus={queue !== undefined} />
      ) : (
        <p>
          The queue has no limit of its own. <code>maxActiveRuns</code> of each workflow applies.
        </p>
      )}
    </FormDialog>
  );
}

interface NameFieldProps {
  readonly name: string;
  readonly onChange: (name: string) => void;
}

const NameField = ({ name, onChange }: NameFieldProps) => (
  <TextField
    label="Name"
    name="queue"
    value={name}
    onChange={onChange}
    description="Workflows use the queue with queue: NAME."
    isRequired
    autoFocus
  />
);

interface LimitFieldProps {
  readonly limit: string;
  readonly onChange: (limit: string) => void;
  readonly autoFocus: boolean;
}

const LimitField = ({ limit, onChange, autoFocus }: LimitFieldProps) => (
  <TextField
    label="Maximum active runs"
    name="maxConcurrency"
    value={limit}
    onChange={onChange}
    error={findProblem(limit)}
    description="Saved in the configuration file (queues.config)."
    isRequired
    autoFocus={autoFocus}
  />
);

function findProblem(limit: string): string | undefined {
  const value = Number(limit);
  return /^\d+$/.test(limit.trim()) && value >= 1 && value <= maxLimit
    ? undefined
    : `Use a whole number from 1 to ${maxLimit.toLocaleString('en')}.`;
}
