import { KeyRound } from 'lucide-react';
import { useState } from 'react';
import type { ReceiverView } from '../../../../core/contract/webhooks/receivers.ts';
import { useWebhookChange } from '../../../api/webhook-queries.ts';
import { FormDialog } from '../../../ui/overlay/form-dialog.tsx';
import { showToast } from '../../../ui/overlay/toasts.tsx';
import { RotationFields, type Rotation } from '../exchange/rotation-fields.tsx';

const hourSec = 3600;

interface RotateReceiverSecretDialogProps {
  readonly receiver: ReceiverView;
  readonly onClose: () => void;
}

/** Gives a receiver a new secret, beside which the one before counts for a while. */
export function RotateReceiverSecretDialog({ receiver, onClose }: RotateReceiverSecretDialogProps) {
  const rotate = useWebhookChange('receivers.rotate');
  const [rotation, setRotation] = useState<Rotation>({ secret: '', overlapHours: '24' });
  const { secret, overlapHours } = rotation;
  const submit = (): void =>
    rotate.mutate(
      { receiverId: receiver.id, secret, overlapSec: Number(overlapHours) * hourSec },
      {
        onSuccess: () => {
          showToast('info', 'The secret has changed.');
          onClose();
        },
      },
    );
  return (
    <FormDialog
      title={`Change the secret of ${receiver.name}`}
      submit={{
        label: 'Change secret',
        icon: KeyRound,
        isPending: rotate.isPending,
        isBlocked: secret === '',
      }}
      error={rotate.error}
      onSubmit={submit}
      onClose={onClose}
    >
      <RotationFields
        value={rotation}
        onChange={setRotation}
        overlap="As long as this, both are taken, so that senders can be changed one after the other."
      />
    </FormDialog>
  );
}
