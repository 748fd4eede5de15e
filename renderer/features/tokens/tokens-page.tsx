import { Trash2, Plus } from 'lucide-react';
import { useMemo, useState } from 'react';
import type { TokenView } from '../../../core/contract/accounts.ts';
import type { OperationOutput } from '../../../core/contract/operations.ts';
import { includesRole, roles, type Role } from '../../../core/contract/operation.ts';
import { useChangeToken, useMe, useCan, useTokens } from '../../api/session-queries.ts';
import { Day, TimestampCell } from '../../ui/time.tsx';
import { FormDialog, Dialog, DialogActions } from '../../ui/dialog.tsx';
import { useTimeDerived } from '../../base/clock.ts';
import { roleDescriptions, roleLabels } from '../../format/labels.ts';
import table from '../../ui/list/list.module.css';
import { RowButton } from '../../ui/list/row-controls.tsx';
import { VirtualTable, type Column } from '../../ui/list/virtual-table.tsx';
import { Button } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/toasts.tsx';
import { Notice, EmptyState, QueryState } from '../../ui/state.tsx';
import { Select } from '../../ui/choices.tsx';
import { TextField } from '../../ui/fields.tsx';
import { Page } from '../../ui/page.tsx';
import { LoadMore } from '../../ui/list/list-end.tsx';
import styles from './tokens.module.css';
import { getPageLabel } from '../../navigation/navigation-items.ts';
import { paths } from '../../navigation/address.ts';

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
function TokenTable({ tokens, foot }: TokenTableProps) {
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
      <span className={table.stacked}>
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
      <span className={table.stacked} title={roleDescriptions[role]}>
        <span>{roleLabels[role]}</span>
        <span className={table.secondLine}>{roleDescriptions[role]}</span>
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

interface NewSecretDialogProps {
  readonly created: OperationOutput<'tokens.create'>;
  readonly onClose: () => void;
}

/** Displays the secret of a new token, which is shown only once. */
function NewSecretDialog({ created, onClose }: NewSecretDialogProps) {
  const { token, secret } = created;
  return (
    <Dialog title={`Token ${token.name}`} isSticky onClose={onClose}>
      <Notice tone="warning">
        Copy it now. It is shown only once. Anyone with this token has the role{' '}
        <b>{roleLabels[token.role].toLowerCase()}</b>.
      </Notice>
      <div className={styles.secretBody}>
        <p className={styles.secret}>
          <code>{secret}</code>
          <CopyButton label="Copy token" text={secret} />
        </p>
        <p className={styles.use}>
          Send it as <code>Authorization: Bearer …</code>, or set it for the command line in{' '}
          <code>ENGINE_SERVER_TOKEN</code>.
        </p>
      </div>
      <DialogActions>
        <Button variant="primary" onPress={onClose}>
          Done
        </Button>
      </DialogActions>
    </Dialog>
  );
}

const lifetimes = [
  { value: '7', label: '7 days' },
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
  { value: '365', label: '1 year' },
  { value: '', label: 'Never' },
] as const;
type Lifetime = (typeof lifetimes)[number]['value'];

/** Creates a token, then displays its secret. */
function CreateTokenDialog({ onClose }: { readonly onClose: () => void }) {
  const held = useMe().data?.role ?? 'viewer';
  const [name, setName] = useState('');
  const [role, setRole] = useState<Role>('viewer');
  const [days, setDays] = useState<Lifetime>('90');
  const create = useChangeToken('tokens.create');
  if (create.data) return <NewSecretDialog created={create.data} onClose={onClose} />;
  const submit = (): void =>
    create.mutate({ name: name.trim(), role, ...(days !== '' && { expiresInDays: Number(days) }) });
  return (
    <FormDialog
      title="New API token"
      submit={{
        label: 'Create token',
        icon: Plus,
        isPending: create.isPending,
        isBlocked: name.trim() === '',
      }}
      error={create.error}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField
        label="Name"
        name="name"
        value={name}
        onChange={setName}
        autoFocus
        description="Purpose of this token"
      />
      <Select
        label="Role"
        isLabelled
        value={role}
        choices={roles
          .filter((each) => includesRole(held, each))
          .map((value) => ({ value, label: roleLabels[value] }))}
        onChange={setRole}
        description={roleDescriptions[role]}
      />
      <Select label="Expires" isLabelled value={days} choices={lifetimes} onChange={setDays} />
    </FormDialog>
  );
}

/** The user's API tokens; all tokens for admins. */
export function TokensPage() {
  const tokens = useTokens();
  const mayCreate = useCan('tokens.create');
  const [isCreating, setCreating] = useState(false);
  const shown = tokens.data?.pages.reduce((sum, page) => sum + page.tokens.length, 0) ?? 0;
  const create = (
    <Button variant="primary" icon={Plus} unavailable={mayCreate.reason} onPress={() => setCreating(true)}>
      New token…
    </Button>
  );
  return (
    <Page
      title={getPageLabel(paths.tokens)}
      beside={shown > 0 && <span className={styles.count}>{shown}</span>}
      below={<p className={styles.hint}>Authenticate scripts and the command line.</p>}
      actions={create}
    >
      <QueryState query={tokens} what="The API tokens">
        {({ pages }) => {
          const all = pages.flatMap((page) => page.tokens);
          if (all.length > 0) return <TokenTable tokens={all} foot={<LoadMore query={tokens} />} />;
          return (
            <EmptyState illustration="tokens" title="No API tokens yet">
              <p>Create one token per script, so you can revoke them separately.</p>
            </EmptyState>
          );
        }}
      </QueryState>
      {isCreating && <CreateTokenDialog onClose={() => setCreating(false)} />}
    </Page>
  );
}
