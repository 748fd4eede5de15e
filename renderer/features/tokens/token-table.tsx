import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import type { TokenView } from '../../../core/contract/tokens.ts';
import { useNow } from '../../app/clock.ts';
import { roleWords } from '../../format/role.ts';
import { IconButton } from '../../ui/controls/icon-button.tsx';
import table from '../../ui/layout/table.module.css';
import { Day } from '../../ui/time/day.tsx';
import { RevokeTokenDialog } from './revoke-token-dialog.tsx';
import styles from './tokens.module.css';

interface TokenTableProps {
  readonly tokens: readonly TokenView[];
  /** Shown after the last row. */
  readonly foot: React.ReactNode;
}

/** API tokens, newest first. */
export function TokenTable({ tokens, foot }: TokenTableProps) {
  const [revoking, setRevoking] = useState<TokenView>();
  return (
    <div className={table.scroll}>
      <table className={`${table.table} ${styles.table}`}>
        <thead>
          <tr>
            <th scope="col">Name</th>
            <th scope="col">Begins with</th>
            <th scope="col">Role</th>
            <th scope="col">Owner</th>
            <th scope="col">Created</th>
            <th scope="col">Last used</th>
            <th scope="col">Expires</th>
            <th scope="col">
              <span className="visually-hidden">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {tokens.map((token) => (
            <TokenRow key={token.id} token={token} onRevoke={() => setRevoking(token)} />
          ))}
        </tbody>
      </table>
      {foot}
      {revoking && <RevokeTokenDialog token={revoking} onClose={() => setRevoking(undefined)} />}
    </div>
  );
}

function TokenRow({ token, onRevoke }: { readonly token: TokenView; readonly onRevoke: () => void }) {
  const { name, hint, role, owner, createdAt, lastUsedAt, expiresAt } = token;
  return (
    <tr>
      <td className={styles.name}>{name}</td>
      <td className={`${table.muted} ${table.code}`}>{hint}…</td>
      <td>{roleWords[role]}</td>
      <td className={table.muted}>{owner ?? 'This machine'}</td>
      <td className={table.muted}>
        <Day iso={createdAt} />
      </td>
      <td className={table.muted}>{lastUsedAt === undefined ? 'Never' : <Day iso={lastUsedAt} />}</td>
      <td className={table.muted}>
        <Expiry at={expiresAt} />
      </td>
      <td className={table.number}>
        <IconButton size="small" icon={Trash2} label={`Revoke ${name}`} onPress={onRevoke} />
      </td>
    </tr>
  );
}

function Expiry({ at }: { readonly at: string | undefined }) {
  const now = useNow(at !== undefined);
  if (at === undefined) return 'Never';
  if (Date.parse(at) > now) return <Day iso={at} />;
  return (
    <span className={styles.expired}>
      Expired <Day iso={at} />
    </span>
  );
}
