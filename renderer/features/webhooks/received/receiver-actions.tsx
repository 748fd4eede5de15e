import { Ellipsis, KeyRound, Pencil, Trash2 } from 'lucide-react';
import { useState } from 'react';
import type { ReceiverView } from '../../../../core/contract/webhooks/receivers.ts';
import { useCan } from '../../../api/session/permissions.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { IconButton } from '../../../ui/controls/icon-button.tsx';
import { ActionMenu } from '../../../ui/overlay/menu.tsx';
import { useWebhookMutation } from '../../../api/queries/webhook-queries.ts';
import { RotateSecretDialog } from '../exchange/rotate-secret-dialog.tsx';
import { DeleteReceiverDialog } from './delete-receiver-dialog.tsx';
import { ReceiverDialog } from './receiver-dialog.tsx';

/** Actions on a receiver. */
export function ReceiverActions({ receiver }: { readonly receiver: ReceiverView }) {
  const [asking, setAsking] = useState<'edit' | 'rotate' | 'delete'>();
  const may = useCan('receivers.update');
  const close = (): void => setAsking(undefined);
  return (
    <>
      <Button size="small" icon={Pencil} unavailable={may.reason} onPress={() => setAsking('edit')}>
        Edit…
      </Button>
      <ActionMenu
        label="More actions"
        actions={[
          {
            id: 'rotate',
            label: 'Change secret…',
            icon: KeyRound,
            unavailable: may.reason,
            run: () => setAsking('rotate'),
          },
          {
            id: 'delete',
            label: 'Delete…',
            icon: Trash2,
            isDanger: true,
            beginsGroup: true,
            unavailable: may.reason,
            run: () => setAsking('delete'),
          },
        ]}
      >
        <IconButton label="More actions" icon={Ellipsis} />
      </ActionMenu>
      {asking === 'edit' && <ReceiverDialog receiver={receiver} onClose={close} />}
      {asking === 'rotate' && <RotateReceiverSecret receiver={receiver} onClose={close} />}
      {asking === 'delete' && <DeleteReceiverDialog receiver={receiver} onClose={close} />}
    </>
  );
}

const hourSec = 3600;

/** Sets a new secret of a receiver; the previous one stays valid for a while. */
function RotateReceiverSecret({
  receiver,
  onClose,
}: {
  readonly receiver: ReceiverView;
  readonly onClose: () => void;
}) {
  const rotate = useWebhookMutation('receivers.rotate');
  return (
    <RotateSecretDialog
      title={`Change secret of ${receiver.name}`}
      overlap="Both secrets are accepted during this time."
      change={rotate}
      onRotate={(secret, hours, onSuccess) =>
        rotate.mutate({ receiverId: receiver.id, secret, overlapSec: hours * hourSec }, { onSuccess })
      }
      onClose={onClose}
    />
  );
}
