import { Trash2 } from 'lucide-react';
import type { TokenView } from '../../../core/contract/accounts/tokens.ts';
import { useChangeToken } from '../../api/queries/accounts/token-queries.ts';
import { Day } from '../../ui/time/day.tsx';
import { FormDialog } from '../../ui/overlay/form-dialog.tsx';

interface RevokeTokenDialogProps {
  readonly token: TokenView;
  readonly onClose: () => void;
}

/** Confirms revoking a token. */
export function RevokeTokenDialog({ token, onClose }: RevokeTokenDialogProps) {
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
