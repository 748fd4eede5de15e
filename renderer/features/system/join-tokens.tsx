import { Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import type { JoinTokenView } from '../../../core/contract/workers.ts';
import { useChangeWorkers, useCoordinators, useJoinTokens } from '../../api/system-queries.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/toasts.tsx';
import { Select } from '../../ui/choices.tsx';
import { TextField } from '../../ui/fields.tsx';
import { Notice } from '../../ui/state.tsx';
import { Dialog, DialogActions, FormDialog } from '../../ui/dialog.tsx';
import { useCan } from '../../api/session-queries.ts';
import table from '../../ui/list/list.module.css';
import { Day } from '../../ui/time.tsx';
import styles from './system.module.css';
import { LabelList } from './worker-table.tsx';

/** Parses labels such as `gpu=true,region=eu`; returns the error as a sentence. */
function readLabels(
  text: string,
): { readonly labels: Readonly<Record<string, string>> } | { readonly fault: string } {
  const labels: Record<string, string> = {};
  for (const pair of text.split(',').map((each) => each.trim())) {
    if (pair === '') continue;
    const at = pair.indexOf('=');
    const name = pair.slice(0, Math.max(at, 0)).trim();
    if (name === '')
      return { fault: `Invalid label "${pair}". Use name=value pairs such as gpu=true,region=eu.` };
    if (Object.hasOwn(labels, name)) return { fault: `Duplicate label "${name}". Remove one.` };
    labels[name] = pair.slice(at + 1).trim();
  }
  return { labels };
}

const lifetimes = [
  { value: '1', label: '1 day' },
  { value: '7', label: '7 days' },
  { value: '90', label: '90 days' },
  { value: '', label: 'Never' },
] as const;
type Lifetime = (typeof lifetimes)[number]['value'];

/** Creates a join token and displays the command that starts a worker with it. */
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

/** The join tokens of workers, for users with access. */
export function JoinTokens() {
  const tokens = useJoinTokens(useCan('workers.listTokens').allowed).data?.tokens ?? [];
  const [ending, setEnding] = useState<JoinTokenView>();
  if (tokens.length === 0) return null;
  const isAnyLabelled = tokens.some(({ labels }) => Object.keys(labels).length > 0);
  return (
    <section className={styles.workersBlock} aria-labelledby="join-tokens">
      <h2 id="join-tokens">Join tokens</h2>
      <table className={`${table.table} ${styles.columns}`}>
        <thead>
          <tr>
            <th>Note</th>
            {isAnyLabelled && <th className={styles.labelsColumn}>Labels</th>}
            <th className={styles.sinceColumn}>Created</th>
            <th className={styles.expiresColumn}>Expires</th>
            <th className={styles.actionsColumn} aria-label="Actions" />
          </tr>
        </thead>
        <tbody>
          {tokens.map((token) => (
            <tr key={token.id}>
              <td>{token.note === '' ? <span className={table.muted}>{token.id}</span> : token.note}</td>
              {isAnyLabelled && (
                <td>
                  <LabelList labels={token.labels} />
                </td>
              )}
              <td>
                <Day iso={token.createdAt} />
              </td>
              <td>{token.expiresAt === undefined ? 'Never' : <Day iso={token.expiresAt} />}</td>
              <td className={table.number}>
                <IconButton
                  label={`Revoke token ${token.note || token.id}`}
                  icon={Trash2}
                  size="small"
                  onPress={() => setEnding(token)}
                />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {ending && <RevokeJoinTokenDialog token={ending} onClose={() => setEnding(undefined)} />}
    </section>
  );
}

interface RevokeJoinTokenDialogProps {
  readonly token: JoinTokenView;
  readonly onClose: () => void;
}

function RevokeJoinTokenDialog({ token: { id, note }, onClose }: RevokeJoinTokenDialogProps) {
  const end = useChangeWorkers('workers.deleteToken');
  return (
    <FormDialog
      title={`Revoke token ${note || id}?`}
      submit={{ label: 'Revoke token', icon: Trash2, isDanger: true, isPending: end.isPending }}
      error={end.error}
      onSubmit={() => end.mutate({ tokenId: id }, { onSuccess: onClose })}
      onClose={onClose}
    >
      <p>No new workers can join with this token. Existing workers stay connected.</p>
    </FormDialog>
  );
}
