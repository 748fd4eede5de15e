import { LockKeyhole, Trash2, Plus, RefreshCw } from 'lucide-react';
import { useState, useMemo } from 'react';
import { Link } from 'wouter';
import { secretNamePattern } from '../../../core/base/ids.ts';
import type { SecretView, SecretStoreView } from '../../../core/contract/config.ts';
import { pluralize } from '../../../core/base/text.ts';
import { useChangeSecret, useSecrets } from '../../api/config-queries.ts';
import { FormDialog } from '../../ui/dialog.tsx';
import { Checkbox } from '../../ui/choices.tsx';
import { PasswordField, TextField } from '../../ui/fields.tsx';
import { MultilineField } from '../../ui/text-box.tsx';
import { showToast } from '../../ui/toasts.tsx';
import { useCan } from '../../api/session-queries.ts';
import { paths } from '../../navigation/address.ts';
import { Button } from '../../ui/button.tsx';
import table from '../../ui/list/list.module.css';
import { RowButton } from '../../ui/list/row-controls.tsx';
import { VirtualTable, type Column } from '../../ui/list/virtual-table.tsx';
import { Page } from '../../ui/page.tsx';
import { EmptyState, Notice, QueryState } from '../../ui/state.tsx';
import { TimestampCell } from '../../ui/time.tsx';
import styles from './secrets.module.css';
import { getPageLabel } from '../../navigation/navigation-items.ts';

const nameRule = new RegExp(secretNamePattern);

interface SetSecretDialogProps {
  /** The secret whose value is replaced; absent for a new one. */
  readonly replaced?: string | undefined;
  readonly onClose: () => void;
}

/** Stores a secret. The value is not shown again. */
function SetSecretDialog({ replaced, onClose }: SetSecretDialogProps) {
  const [name, setName] = useState(replaced ?? '');
  const [value, setValue] = useState('');
  const change = useChangeSecret('secrets.set');
  const isFit = nameRule.test(name);
  const submit = (): void =>
    change.mutate(
      { name, value },
      {
        onSuccess: ({ keyPlace }) => {
          onClose();
          if (keyPlace !== undefined) showToast('info', `Values are encrypted with the key in ${keyPlace}.`);
        },
      },
    );
  return (
    <FormDialog
      title={replaced === undefined ? 'Add secret' : `Replace ${replaced}`}
      submit={{
        label: 'Save',
        icon: LockKeyhole,
        isPending: change.isPending,
        isBlocked: !isFit || value === '',
      }}
      error={change.error}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField
        label="Name"
        name="key"
        value={name}
        onChange={setName}
        error={
          isFit || name === '' ? undefined : 'Use 1 to 128 letters, digits and . _ - : / @ without spaces.'
        }
        isReadOnly={replaced !== undefined}
        autoFocus={replaced === undefined}
        description="Used as key in workflows"
      />
      <ValueField value={value} onChange={setValue} autoFocus={replaced !== undefined} />
    </FormDialog>
  );
}

interface ValueFieldProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly autoFocus: boolean;
}

/** A hidden field for one line; a visible one for keys and certificates, whose line breaks must stay. */
function ValueField({ value, onChange, autoFocus }: ValueFieldProps) {
  const [isLong, setLong] = useState(false);
  return (
    <>
      {isLong ? (
        <MultilineField
          label="Value"
          name="value"
          text={value}
          onChange={onChange}
          rows={6}
          help="Not shown again."
        />
      ) : (
        <PasswordField
          label="Value"
          name="value"
          kind="new"
          value={value}
          onChange={onChange}
          autoFocus={autoFocus}
          description="Not shown again."
        />
      )}
      <Checkbox label="Several lines, such as a private key" isSelected={isLong} onChange={setLong} />
    </>
  );
}

interface DeleteSecretDialogProps {
  readonly secret: SecretView;
  readonly onClose: () => void;
}

/** Confirms deleting a secret. */
function DeleteSecretDialog({ secret, onClose }: DeleteSecretDialogProps) {
  const change = useChangeSecret('secrets.delete');
  const workflows = [...new Set(secret.usedBy.map(({ fileName }) => fileName))];
  const { channels } = secret;
  return (
    <FormDialog
      title={`Delete ${secret.name}?`}
      submit={{ label: 'Delete secret', icon: Trash2, isDanger: true, isPending: change.isPending }}
      error={change.error}
      onSubmit={() => change.mutate({ name: secret.name }, { onSuccess: onClose })}
      onClose={onClose}
    >
      <p>
        {workflows.length === 0 && channels.length === 0 && 'No workflow or channel uses this secret. '}
        {workflows.length > 0 &&
          `${pluralize(workflows.length, 'workflow')} will fail to start: ${workflows.join(', ')}. `}
        {channels.length > 0 &&
          `${pluralize(channels.length, 'notification channel')} cannot send: ${channels.join(', ')}. `}
        This cannot be undone.
      </p>
    </FormDialog>
  );
}

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
      title={getPageLabel(paths.secrets)}
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
      <span className={table.stacked}>
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
    <span className={table.stacked} title={users.map(({ name, how }) => `${name}: ${how}`).join('\n')}>
      <span className={styles.used}>
        <Link href={first.href} className={table.rowLink}>
          {first.name}
        </Link>
        {more.length > 0 && ` and ${more.length} more`}
      </span>
      <span className={table.secondLine}>{first.how}</span>
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
