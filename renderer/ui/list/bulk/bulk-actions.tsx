import type { LucideIcon } from 'lucide-react';
import type { OperationName } from '../../../../core/contract/operations.ts';
import { useCan } from '../../../api/session/permissions.ts';
import { Button } from '../../controls/button.tsx';

/** An action on all selected items that support it. */
export interface BulkAction {
  readonly icon: LucideIcon;
  readonly label: string;
  /** The operation that the user's role must allow. */
  readonly operation: OperationName;
  readonly isDanger?: true;
  /** Number of items that support it; disabled at zero. */
  readonly count: number;
  readonly onPress: () => void;
}

interface BulkActionsProps {
  readonly actions: readonly BulkAction[];
  readonly isBusy: boolean;
}

/** Buttons of a {@link BulkBar}, each with the number of affected items. */
export function BulkActions({ actions, isBusy }: BulkActionsProps) {
  return actions.map((action) => <ActionButton key={action.label} {...action} isBusy={isBusy} />);
}

function ActionButton(props: BulkAction & { readonly isBusy: boolean }) {
  const { icon, label, operation, isDanger, count, isBusy, onPress } = props;
  const may = useCan(operation);
  return (
    <Button
      size="small"
      icon={icon}
      variant={isDanger ? 'danger' : 'secondary'}
      isDisabled={count === 0 || isBusy}
      unavailable={may.reason}
      onPress={onPress}
    >
      {count === 0 ? label : `${label} ${count}`}
    </Button>
  );
}
