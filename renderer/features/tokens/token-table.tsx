import { Trash2 } from 'lucide-react';
import { useMemo, useState } from 'react';
import type { TokenView } from '../../../core/contract/accounts.ts';
import { useChangeToken } from '../../api/session-queries.ts';
import { Day, TimestampCell } from '../../ui/time.tsx';
import { FormDialog } from '../../ui/dialog.tsx';
import { useTimeDerived } from '../../base/clock.ts';
import { roleDescriptions, roleLabels } from '../../format/labels.ts';
import table from '../../ui/list/list.module.css';
import { RowButton } from '../../ui/list/row-controls.tsx';
import { VirtualTable, type Column } from '../../ui/list/virtual-table.tsx';
import styles from './tokens.module.css';

interface RevokeTokenDialogProps {
  readonly token: TokenView;
  readonly onClose: () => void;
}

/** Confirms revoking a token. */
function RevokeTokenDialog({ token, onClose }: RevokeTokenDialogProps) {
  const revoke = useChangeToken('tokens.delete');
  return (
    <FormDialog
      title={`Revoke ${token.name}?`}
      submit={{ label: 'Revoke token', icon: Trash2, isDanger: true, isPending: revoke.isPending }}
      error={revoke.error}
      onSubmit={() => revoke.mutate({ tokenId: token.id }, { onSuccess: onClose })}
      onClose={onClose}
    >
      <p>
        Requests with this token will be rejected. This cannot be undone.{' '}
        {token.lastUsedAt === undefined ? (
          'Never used.'
        ) : (
          <>
            Last used <Day iso={token.lastUsedAt} />.
          </>
        )}
      </p>
    </FormDialog>
  );
}

interface TokenTableProps {
  readonly tokens: readonly TokenView[];
  /** Shown after the last row. */
  readonly foot: React.ReactNode;
}

/** API tokens, newest first. */
export function TokenTable({ tokens, foot }: TokenTableProps) {
  const [revoking, setRevoking] = useState<TokenView>();
  const columns = useMemo(() => listColumns(setRevoking), []);
  return (
    <>
      <VirtualTable
        label="API tokens"
        rows={tokens}
        columns={columns}
        getKey={({ id }) => id}
        getName={({ name }) => name}
        isRoomy
        minWidth={1000}
        foot={foot}
      />
      {revoking && <RevokeTokenDialog token={revoking} onClose={() => setRevoking(undefined)} />}
    </>
  );
}

const listColumns = (onRevoke: (token: TokenView) => void): readonly Column<TokenView>[] => [
  {
    id: 'name',
    header: 'Name',
    cell: ({ name, hint }) => (
      <span className={styles.name}>
        <b dir="auto">{name}</b>
        <span className={table.code} title="Token prefix">
          {hint}…
        </span>
      </span>
    ),
  },
  {
    id: 'role',
    header: 'Role',
    width: '24%',
    cell: ({ role }) => (
      <span className={styles.role} title={roleDescriptions[role]}>
        <span>{roleLabels[role]}</span>
        <span className={styles.duties}>{roleDescriptions[role]}</span>
      </span>
    ),
  },
  {
    id: 'owner',
    header: 'Owner',
    width: '13%',
    cell: ({ owner }) => <span className={table.muted}>{owner ?? 'This machine'}</span>,
  },
  {
    id: 'created',
    header: 'Created',
    width: '128px',
    cell: ({ createdAt }) => <TimestampCell iso={createdAt} />,
  },
  {
    id: 'used',
    header: 'Last used',
    width: '128px',
    cell: ({ lastUsedAt }) =>
      lastUsedAt === undefined ? (
        <span className={table.faint}>Never</span>
      ) : (
        <TimestampCell iso={lastUsedAt} />
      ),
  },
  { id: 'expires', header: 'Expires', width: '132px', cell: ({ expiresAt }) => <Expiry at={expiresAt} /> },
  {
    id: 'actions',
    header: <span className="visually-hidden">Actions</span>,
    width: '76px',
    isNumber: true,
    cell: (token) => (
      <RowButton icon={Trash2} label={`Revoke ${token.name}`} onPress={() => onRevoke(token)} />
    ),
  },
];

/** A token is marked as expiring within this time, in ms. */
const expiresSoonMs = 7 * 24 * 3_600_000;

function Expiry({ at }: { readonly at: string | undefined }) {
  const state = useTimeDerived((now) => {
    if (at === undefined) return 'never';
    const remainingMs = Date.parse(at) - now;
    return remainingMs <= 0 ? 'over' : remainingMs < expiresSoonMs ? 'soon' : 'far';
  });
  if (at === undefined) return <span className={table.faint}>Never</span>;
  return (
    <span className={styles.expiry} data-state={state}>
      {state === 'over' && 'Expired '}
      <TimestampCell iso={at} />
    </span>
  );
}
