import { KeyRound } from 'lucide-react';
import { useState } from 'react';
import type { HookView } from '../../../../core/contract/webhooks/hook-views.ts';
import { useWebhookChange } from '../../../api/webhook-queries.ts';
import { FormDialog } from '../../../ui/overlay/form-dialog.tsx';
import { showToast } from '../../../ui/overlay/toasts.tsx';
import { RotationFields, type Rotation } from '../exchange/rotation-fields.tsx';

interface RotateHookSecretDialogProps {
  readonly hook: HookView;
  readonly onClose: () => void;
}

/** Gives a webhook a new secret, with a time in which the one before still counts. */
export function RotateHookSecretDialog({ hook, onClose }: RotateHookSecretDialogProps) {
  const rotate = useWebhookChange('webhooks.rotateSecret');
  const [rotation, setRotation] = useState<Rotation>({ secret: '', overlapHours: '24' });
  const submit = (): void =>
    rotate.mutate(
      { hookId: hook.id, secret: rotation.secret, overlapHours: Number(rotation.overlapHours) },
      {
        onSuccess: () => {
          showToast('info', 'The secret has changed.');
          onClose();
        },
      },
    );
  return (
    <FormDialog
      title="Change the secret"
      submit={{
        label: 'Change secret',
        icon: KeyRound,
        isPending: rotate.isPending,
        isBlocked: rotation.secret === '',
      }}
      error={rotate.error}
      onSubmit={submit}
      onClose={onClose}
    >
      <RotationFields
        value={rotation}
        onChange={setRotation}
        overlap="As long as this, a delivery that is refused for its signature is sent again with the secret before."
      />
    </FormDialog>
  );
}
