import { ListEnd, Play } from 'lucide-react';
import { Button } from '../../ui/controls/button.tsx';
import { DialogActions } from '../../ui/overlay/dialog.tsx';

interface RunAgainFooterProps {
  /** Number of steps in the new run. */
  readonly steps: number;
  readonly isBlocked: boolean;
  readonly pending: 'run' | 'queue' | undefined;
  readonly onQueue: () => void;
  readonly onClose: () => void;
}

/** The buttons of the dialog; "Run" submits its form. */
export function RunAgainFooter({ steps, isBlocked, pending, ...on }: RunAgainFooterProps) {
  return (
    <DialogActions>
      <Button onPress={on.onClose}>Cancel</Button>
      <Button
        icon={ListEnd}
        isPending={pending === 'queue'}
        isDisabled={isBlocked || pending === 'run'}
        onPress={on.onQueue}
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
        {steps === 1 ? 'Run 1 step' : `Run ${steps.toLocaleString('en')} steps`}
      </Button>
    </DialogActions>
  );
}
