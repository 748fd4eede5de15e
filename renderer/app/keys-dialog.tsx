import { Settings } from 'lucide-react';
import { type Binding, keysForBinding, useBindings } from '../navigation/key-bindings.ts';
import { paths } from '../navigation/address.ts';
import { usePreferences } from '../base/preferences.ts';
import { Button } from '../ui/button.tsx';
import { KeyCaps } from '../ui/detail-list.tsx';
import { ScrollArea } from '../ui/page.tsx';
import { Dialog, DialogActions } from '../ui/dialog.tsx';
import styles from './palette.module.css';

const groups = ['Global', 'Go to', 'Workflows', 'Lists'] as const satisfies readonly Binding['group'][];

interface KeysDialogProps {
  readonly go: (to: string) => void;
  readonly onClose: () => void;
}

/** Lists the keyboard shortcuts; they are changed in the settings. */
export function KeysDialog({ go, onClose }: KeysDialogProps) {
  const chosen = usePreferences((state) => state.keys);
  const bindings = useBindings();
  const change = (): void => {
    onClose();
    go(paths.settings);
  };
  return (
    <Dialog title="Keyboard shortcuts" size="wide" onClose={onClose}>
      <ScrollArea className={styles.keys} aria-label="All keyboard shortcuts">
        {groups.map((group) => (
          <section key={group} aria-label={group}>
            <h3>{group}</h3>
            <dl>
              {bindings
                .filter((binding) => binding.group === group)
                .map((binding) => (
                  <div key={binding.id}>
                    <dt>{binding.words}</dt>
                    <dd>
                      {keysForBinding(binding, chosen).map((keys) => (
                        <KeyCaps key={keys} keys={keys} />
                      ))}
                    </dd>
                  </div>
                ))}
            </dl>
          </section>
        ))}
      </ScrollArea>
      <DialogActions>
        <p className={styles.keysFoot}>In the editor, press ? to see its shortcuts.</p>
        <Button icon={Settings} onPress={change}>
          Customize…
        </Button>
      </DialogActions>
    </Dialog>
  );
}
