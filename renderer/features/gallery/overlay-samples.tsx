import { Play, Square, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../ui/controls/button.tsx';
import { Dialog } from '../../ui/overlay/dialog.tsx';
import { FormDialog } from '../../ui/overlay/form-dialog.tsx';
import { ActionMenu } from '../../ui/overlay/menu.tsx';
import { showToast } from '../../ui/overlay/toasts.tsx';
import styles from './gallery.module.css';
import { Section } from './section.tsx';

/** Overlays, each opened by its button. */
export function OverlaySamples() {
  const [open, setOpen] = useState<'dialog' | 'danger'>();
  const close = (): void => setOpen(undefined);
  const undo = { label: 'Undo', run: () => showToast('info', 'Restored.') };
  return (
    <Section title="Overlays">
      <div className={styles.row}>
        <Button onPress={() => setOpen('dialog')}>Open a dialog</Button>
        <Button onPress={() => setOpen('danger')}>Open a confirmation</Button>
        <ActionMenu
          label="Actions"
          actions={[
            { id: 'run', label: 'Run with defaults', icon: Play },
            { id: 'stop', label: 'Stop', icon: Square, unavailable: 'Not running' },
            { id: 'delete', label: 'Delete…', icon: Trash2, isDanger: true, beginsGroup: true },
          ]}
        >
          <Button>Open a menu</Button>
        </ActionMenu>
        <Button onPress={() => showToast('info', 'Run started.')}>Show a message</Button>
        <Button onPress={() => showToast('info', 'nightly-backup deleted.', undo)}>
          Show message with undo
        </Button>
        <Button onPress={() => showToast('error', 'Disconnected from the engine.')}>Show an error</Button>
      </div>
      {open === 'dialog' && (
        <Dialog title="A dialog" onClose={close}>
          <p className={styles.dialogText}>Press Escape to close.</p>
        </Dialog>
      )}
      {open === 'danger' && (
        <FormDialog
          title="Delete nightly-backup?"
          submit={{ label: 'Delete workflow', icon: Trash2, isDanger: true, isPending: false }}
          error={null}
          onSubmit={close}
          onClose={close}
        >
          <p>Its 24 runs are kept.</p>
        </FormDialog>
      )}
    </Section>
  );
}
