import { LockKeyhole, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { secretNamePattern } from '../../../core/base/ids.ts';
import type { SecretView } from '../../../core/contract/config.ts';
import { pluralize } from '../../../core/base/text.ts';
import { useChangeSecret } from '../../api/config-queries.ts';
import { FormDialog } from '../../ui/dialog.tsx';
import { Checkbox } from '../../ui/choices.tsx';
import { PasswordField, TextField } from '../../ui/fields.tsx';
import { MultilineField } from '../../ui/text-box.tsx';
import { showToast } from '../../ui/toasts.tsx';

const nameRule = new RegExp(secretNamePattern);

interface SetSecretDialogProps {
  /** The secret whose value is replaced; absent for a new one. */
  readonly replaced?: string | undefined;
  readonly onClose: () => void;
}

/** Stores a secret. The value is not shown again. */
export function SetSecretDialog({ replaced, onClose }: SetSecretDialogProps) {
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
export function DeleteSecretDialog({ secret, onClose }: DeleteSecretDialogProps) {
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
