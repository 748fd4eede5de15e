import { Save } from 'lucide-react';
import { pluralize } from '../../../core/base/text/pluralize.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Dialog, DialogActions } from '../../ui/overlay/dialog.tsx';
import { Notice } from '../../ui/state/notice.tsx';
import { DiffView } from './difference.tsx';
import styles from './save.module.css';

interface ReviewDialogProps {
  readonly title: string;
  readonly before: string;
  readonly after: string;
  readonly confirm: { readonly label: string; readonly run: () => void };
  /** Whether this dialog is shown before each save. */
  readonly always: { readonly value: boolean; readonly onChange: (value: boolean) => void };
  /** Number of errors in the current text. */
  readonly errors: number;
  readonly onClose: () => void;
}

/** Shows two versions of a text and their difference, with an action button. */
export function ReviewDialog(props: ReviewDialogProps) {
  const { title, before, after, confirm, always, errors, onClose } = props;
  return (
    <Dialog title={title} size="wide" onClose={onClose}>
      {errors > 0 && (
        <div className={styles.warning}>
          <Notice tone="warning">
            <strong>{pluralize(errors, 'error')}.</strong> You can save, but fix the errors before this
            workflow can run.
          </Notice>
        </div>
      )}
      <DiffView before={before} after={after} />
      <DialogActions>
        <label className={styles.always}>
          <input
            type="checkbox"
            checked={always.value}
            onChange={(event) => always.onChange(event.target.checked)}
          />
          Review changes before saving
        </label>
        <Button onPress={onClose}>Cancel</Button>
        <Button
          variant="primary"
          icon={Save}
          autoFocus
          onPress={() => {
            onClose();
            confirm.run();
          }}
        >
          {confirm.label}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
