import { KeyRound } from 'lucide-react';
import { useState } from 'react';
import { FormDialog } from '../../../ui/overlay/form-dialog.tsx';
import { showToast } from '../../../ui/overlay/toasts.tsx';
import { Select } from '../../../ui/controls/select.tsx';
import { SecretField } from './secret-field.tsx';

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
        description="Not shown again. Configure the same secret on the other side."
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
