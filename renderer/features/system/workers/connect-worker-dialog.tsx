import { Plus } from 'lucide-react';
import { useState } from 'react';
import { useChangeWorkers, useCoordinators } from '../../../api/queries/operating/worker-queries.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { CopyButton } from '../../../ui/controls/copy-button.tsx';
import { Select } from '../../../ui/controls/select.tsx';
import { TextField } from '../../../ui/controls/text-field.tsx';
import { Notice } from '../../../ui/state/notice.tsx';
import { Dialog, DialogActions } from '../../../ui/overlay/dialog.tsx';
import { FormDialog } from '../../../ui/overlay/form-dialog.tsx';
import { readLabels } from './read-labels.ts';
import styles from './workers.module.css';

const lifetimes = [
  { value: '1', label: '1 day' },
  { value: '7', label: '7 days' },
  { value: '90', label: '90 days' },
  { value: '', label: 'Never' },
] as const;
type Lifetime = (typeof lifetimes)[number]['value'];

/** Creates a join token and shows the command that starts a worker with it. */
export function ConnectWorkerDialog({ onClose }: { readonly onClose: () => void }) {
  const [note, setNote] = useState('');
  const [labels, setLabels] = useState('');
  const [days, setDays] = useState<Lifetime>('7');
  const create = useChangeWorkers('workers.createToken');
  if (create.data) return <WorkerCommand secret={create.data.secret} onClose={onClose} />;
  const read = readLabels(labels);
  const submit = (): void =>
    create.mutate({
      note: note.trim(),
      ...('labels' in read && { labels: read.labels }),
      ...(days !== '' && { expiresInDays: Number(days) }),
    });
  return (
    <FormDialog
      title="Connect worker"
      submit={{ label: 'Create token', icon: Plus, isPending: create.isPending, isBlocked: 'fault' in read }}
      error={create.error}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField
        label="Note"
        name="note"
        isProse
        value={note}
        onChange={setNote}
        autoFocus
        description="Purpose of this token"
      />
      <TextField
        label="Labels"
        name="labels"
        value={labels}
        onChange={setLabels}
        description="For example gpu=true,region=eu. Applied to every worker using this token."
        error={'fault' in read ? read.fault : undefined}
      />
      <Select label="Expires" isLabelled value={days} choices={lifetimes} onChange={setDays} />
    </FormDialog>
  );
}

interface WorkerCommandProps {
  readonly secret: string;
  readonly onClose: () => void;
}

/** The command with the token's secret, which is shown only once. */
function WorkerCommand({ secret, onClose }: WorkerCommandProps) {
  const living = useCoordinators().data?.coordinators.find(({ status }) => status === 'active');
  const command = `engine worker --coordinator ${living?.url ?? 'https://THIS-MACHINE:8190'} --token ${secret}`;
  return (
    <Dialog title="Start the worker" isSticky onClose={onClose}>
      <Notice tone="warning">Copy the token now. It is shown only once.</Notice>
      <div className={styles.command}>
        <p>Run this on the worker machine:</p>
        <p className={styles.secret}>
          <code>{command}</code>
          <CopyButton label="Copy command" text={command} />
        </p>
        {living === undefined && (
          <p>
            No coordinator is running. Start one with <code>engine coordinator</code> on this machine first.
          </p>
        )}
      </div>
      <DialogActions>
        <Button variant="primary" onPress={onClose}>
          Done
        </Button>
      </DialogActions>
    </Dialog>
  );
}
