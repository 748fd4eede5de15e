import { ArrowLeft, ListChecks, ListEnd, Play } from 'lucide-react';
import { Button } from '../../ui/controls/button.tsx';
import { DialogActions } from '../../ui/overlay/dialog.tsx';
import styles from './start.module.css';

interface StartActionsProps {
  /** Whether the dry run is shown instead of the parameters. */
  readonly isChecking: boolean;
  /** Whether the input cannot be sent. */
  readonly isBlocked: boolean;
  /** The pending action. */
  readonly pending: 'run' | 'queue' | undefined;
  readonly onCheck: (isChecking: boolean) => void;
  readonly onQueue: () => void;
  readonly onClose: () => void;
}

/** The footer of the start dialog; "Run" submits its form. */
export function StartActions(props: StartActionsProps) {
  const { isChecking, isBlocked, pending, onCheck, onQueue, onClose } = props;
  return (
    <DialogActions>
      <Button
        variant="quiet"
        icon={isChecking ? ArrowLeft : ListChecks}
        onPress={() => onCheck(!isChecking)}
        isDisabled={isBlocked}
      >
        {isChecking ? 'Back' : 'Dry run'}
      </Button>
      <span className={styles.space} />
      <Button onPress={onClose}>Cancel</Button>
      <Button
        icon={ListEnd}
        isPending={pending === 'queue'}
        isDisabled={isBlocked || pending === 'run'}
        onPress={onQueue}
      >
        Queue
      </Button>
      <Button
        variant="primary"
        type="submit"
        icon={Play}
        isPending={pending === 'run'}
        isDisabled={isBlocked || pending === 'queue'}
      >
        Run
      </Button>
    </DialogActions>
  );
}
