import { Plus, RefreshCw, Trash2 } from 'lucide-react';
import { useMemo, useState } from 'react';
import { Link } from 'wouter';
import type { SecretStoreView, SecretView } from '../../../core/contract/config.ts';
import { useSecrets } from '../../api/config-queries.ts';
import { useCan } from '../../api/session-queries.ts';
import { paths } from '../../navigation/address.ts';
import { Button } from '../../ui/button.tsx';
import table from '../../ui/list/list.module.css';
import { RowButton } from '../../ui/list/row-controls.tsx';
import { VirtualTable, type Column } from '../../ui/list/virtual-table.tsx';
import { Page } from '../../ui/page.tsx';
import { EmptyState, Notice, QueryState } from '../../ui/state.tsx';
import { TimestampCell } from '../../ui/time.tsx';
import { DeleteSecretDialog, SetSecretDialog } from './secret-dialogs.tsx';
import styles from './secrets.module.css';

/** A pending action: a new secret, or a change to an existing one. */
type Action = { readonly kind: 'add' } | { readonly kind: 'replace' | 'delete'; readonly secret: SecretView };

/** The secrets of the home and the workflows that use them; never their values. */
export function SecretsPage() {
  const secrets = useSecrets();
  const maySet = useCan('secrets.set');
  const [action, setAction] = useState<Action>();
  const close = (): void => setAction(undefined);
  const count = secrets.data?.secrets.length ?? 0;
  const add = (
    <Button
      variant="primary"
      icon={Plus}
      unavailable={maySet.reason}
      onPress={() => setAction({ kind: 'add' })}
    >
      Add secret…
    </Button>
  );
  return (
    <Page
      title="Secrets"
      beside={count > 0 && <span className={styles.count}>{count}</span>}
      below={
        <p className={styles.hint}>
          Values for workflows and notification channels, masked in logs and never shown again.
        </p>
      }
      actions={add}
    >
      <QueryState query={secrets} what="The secrets">
        {({ secrets: all, store }) => (
          <>
            <StoreNotices store={store} />
            {all.length > 0 ? (
              <SecretTable secrets={all} onAction={setAction} />
            ) : (
              <EmptyState illustration="tokens" title="No secrets yet">
                <p>
                  Add a password or token here, then read it in a workflow with <code>provider: store</code>.
                </p>
              </EmptyState>
            )}
          </>
        )}
      </QueryState>
      {action?.kind === 'add' && <SetSecretDialog onClose={close} />}
      {action?.kind === 'replace' && <SetSecretDialog replaced={action.secret.name} onClose={close} />}
      {action?.kind === 'delete' && <DeleteSecretDialog secret={action.secret} onClose={close} />}
    </Page>
  );
}

/** What the user must know about the key of the store. */
function StoreNotices({ store: { problem, isWeak } }: { readonly store: SecretStoreView }) {
  if (problem === undefined && !isWeak) return null;
  return (
    <div className={styles.notices}>
      {problem !== undefined && <Notice tone="error">{problem}</Notice>}
      {isWeak && (
        <Notice tone="warning">
          No system keychain found. Other programs could read these secrets. Install GNOME Keyring or KWallet,
          or set a key file (secrets.keyFile).
        </Notice>
      )}
    </div>
  );
}

interface SecretTableProps {
  readonly secrets: readonly SecretView[];
  readonly onAction: (action: Action) => void;
}

function SecretTable({ secrets, onAction }: SecretTableProps) {
  const columns = useMemo(() => listColumns(onAction), [onAction]);
  return (
    <VirtualTable
      label="Secrets"
      rows={secrets}
      columns={columns}
      getKey={({ provider, name }) => `${provider} ${name}`}
      getName={({ name }) => name}
      isRoomy
      minWidth={860}
    />
  );
}

const listColumns = (onAction: (action: Action) => void): readonly Column<SecretView>[] => [
  {
    id: 'name',
    header: 'Name',
    cell: ({ name, changedBy }) => (
      <span className={styles.name}>
        <b dir="auto" title={name}>
          {name}
        </b>
        {changedBy !== undefined && <span>Set by {changedBy}</span>}
      </span>
    ),
  },
  {
    id: 'provider',
    header: 'Provider',
    width: '104px',
    cell: ({ provider }) => <span className={table.code}>{provider}</span>,
  },
  { id: 'used', header: 'Used by', width: '30%', cell: (secret) => <UsedBy secret={secret} /> },
  {
    id: 'changed',
    header: 'Changed',
    width: '128px',
    cell: ({ changedAt }) =>
      changedAt === undefined ? (
        <span className={table.faint}>Not stored</span>
      ) : (
        <TimestampCell iso={changedAt} />
      ),
  },
  {
    id: 'last',
    header: 'Last used',
    width: '128px',
    cell: ({ lastUsedAt }) =>
      lastUsedAt === undefined ? (
        <span className={table.faint}>Never</span>
      ) : (
        <TimestampCell iso={lastUsedAt} />
      ),
  },
  {
    id: 'actions',
    header: <span className="visually-hidden">Actions</span>,
    width: '92px',
    isNumber: true,
    cell: (secret) => <SecretActions secret={secret} onAction={onAction} />,
  },
];

/** Workflows with the steps that mention the variable, and notification channels; all of them are in the tooltip. */
function UsedBy({ secret: { usedBy, channels } }: { readonly secret: SecretView }) {
  const users = [
    ...usedBy.map(({ fileName, steps, variable }) => ({
      name: fileName,
      href: paths.workflow(fileName),
      how: steps.length === 0 ? `as ${variable}` : steps.join(', '),
    })),
    ...channels.map((name) => ({ name, href: paths.notifications, how: 'Notification channel' })),
  ];
  const [first, ...more] = users;
  if (first === undefined) return <span className={table.faint}>Not used</span>;
  return (
    <span className={styles.users} title={users.map(({ name, how }) => `${name}: ${how}`).join('\n')}>
      <span className={styles.used}>
        <Link href={first.href} className={table.rowLink}>
          {first.name}
        </Link>
        {more.length > 0 && ` and ${more.length} more`}
      </span>
      <span className={styles.steps}>{first.how}</span>
    </span>
  );
}

/** Only stored secrets can be changed here; those that are missing can be added. */
function SecretActions({
  secret,
  onAction,
}: { readonly secret: SecretView } & Omit<SecretTableProps, 'secrets'>) {
  const { name, provider, changedAt } = secret;
  if (provider !== 'store' && provider !== 'keychain') return null;
  const isStored = changedAt !== undefined;
  return (
    <>
      <RowButton
        icon={isStored ? RefreshCw : Plus}
        label={isStored ? `Replace ${name}` : `Add ${name}`}
        onPress={() => onAction({ kind: 'replace', secret })}
      />
      {isStored && (
        <RowButton
          icon={Trash2}
          label={`Delete ${name}`}
          onPress={() => onAction({ kind: 'delete', secret })}
        />
      )}
    </>
  );
}
