import { Dices, KeyRound } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { CopyButton, showToast } from '../../ui/toasts.tsx';
import { PasswordField } from '../../ui/fields.tsx';
import { FormDialog } from '../../ui/dialog.tsx';
import { Select } from '../../ui/choices.tsx';
import { Notice } from '../../ui/state.tsx';
import styles from './webhooks.module.css';

interface SecretFieldProps {
  readonly label: string;
  /** Field name in the API. */
  readonly name: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly description: string;
  readonly autoFocus?: boolean;
}

const bytes = 32;

/** Generates a secret as long as the key of the signature's hash, in characters that need no quoting. */
const thinkOne = (): string =>
  [...crypto.getRandomValues(new Uint8Array(bytes))]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('');

/** A secret to enter or generate. */
export function SecretField({ value, onChange, ...texts }: SecretFieldProps) {
  return (
    <div className={styles.secret}>
      <PasswordField {...texts} kind="new" value={value} onChange={onChange} />
      <div className={styles.line}>
        <Button size="small" icon={Dices} onPress={() => onChange(thinkOne())}>
          Generate
        </Button>
        {value !== '' && <CopyButton label="Copy secret" text={value} />}
      </div>
    </div>
  );
}

const overlaps = [
  { value: '0', label: 'Expire now' },
  { value: '1', label: '1 hour' },
  { value: '24', label: '1 day' },
  { value: '168', label: '1 week' },
] as const;

interface RotateSecretDialogProps {
  readonly title: string;
  /** Text about the time in which both secrets are valid. */
  readonly overlap: string;
  readonly change: { readonly isPending: boolean; readonly error: unknown };
  /** @param done called after the change */
  readonly onRotate: (secret: string, overlapHours: number, done: () => void) => void;
  readonly onClose: () => void;
}

/** Asks for a new secret, and how long the previous one stays valid. */
export function RotateSecretDialog(props: RotateSecretDialogProps) {
  const { title, overlap, change, onRotate, onClose } = props;
  const [secret, setSecret] = useState('');
  const [hours, setHours] = useState<(typeof overlaps)[number]['value']>('24');
  const done = (): void => {
    showToast('info', 'Secret changed.');
    onClose();
  };
  return (
    <FormDialog
      title={title}
      submit={{
        label: 'Change secret',
        icon: KeyRound,
        isPending: change.isPending,
        isBlocked: secret === '',
      }}
      error={change.error}
      onSubmit={() => onRotate(secret, Number(hours), done)}
      onClose={onClose}
    >
      <SecretField
        label="New secret"
        name="secret"
        autoFocus
        value={secret}
        onChange={setSecret}
        description="Not shown again. Configure the same secret in the other service."
      />
      <Select
        label="Keep previous secret valid for"
        isLabelled
        value={hours}
        choices={overlaps}
        onChange={setHours}
        description={overlap}
      />
    </FormDialog>
  );
}

interface ChangedMeanwhileProps {
  /** For example `webhook`. */
  readonly what: string;
  /** The latest known modification time of the edited object. */
  readonly updatedAt: string;
  /** Whether the change is the user's own. */
  readonly isSaving: boolean;
}

/** Notice in an edit dialog that someone else has changed the object since it was opened. */
export function EditConflictNotice({ what, updatedAt, isSaving }: ChangedMeanwhileProps) {
  const [openedAt] = useState(updatedAt);
  if (isSaving || openedAt === updatedAt) return null;
  return (
    <Notice tone="warning">
      <strong>{`Another user has changed this ${what}.`}</strong> Saving overwrites those changes. Close and
      reopen this dialog to see them.
    </Notice>
  );
}
