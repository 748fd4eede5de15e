import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import type { JoinTokenView } from '../../../../core/contract/installation/workers.ts';
import { useCan } from '../../../api/session/permissions.ts';
import { useChangeWorkers, useJoinTokens } from '../../../api/queries/operating/worker-queries.ts';
import { IconButton } from '../../../ui/controls/icon-button.tsx';
import table from '../../../ui/list/table.module.css';
import { FormDialog } from '../../../ui/overlay/form-dialog.tsx';
import { Day } from '../../../ui/time/day.tsx';
import { LabelList } from './label-list.tsx';
import styles from './workers.module.css';

/** The join tokens of workers, for users who may see them. */
export function JoinTokens() {
  const tokens = useJoinTokens(useCan('workers.listTokens').allowed).data?.tokens ?? [];
  const [ending, setEnding] = useState<JoinTokenView>();
  if (tokens.length === 0) return null;
  const isAnyLabelled = tokens.some(({ labels }) => Object.keys(labels).length > 0);
  return (
    <section className={styles.block} aria-labelledby="join-tokens">
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
