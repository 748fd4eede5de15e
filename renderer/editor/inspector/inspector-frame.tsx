import { PanelRightOpen } from 'lucide-react';
import { useState } from 'react';
import { IconButton } from '../../ui/controls/icon-button.tsx';
import { Split } from '../../ui/layout/splitter.tsx';
import { InspectorPane } from './inspector-pane.tsx';
import styles from './inspector.module.css';

const storageKey = 'stepwright.editor.inspector';

/** What stands in the middle of the editor, and at its right the inspector, which can be closed. */
export function InspectorFrame({ children }: { readonly children: React.ReactNode }) {
  const [isOpen, setOpen] = useState(() => localStorage.getItem(storageKey) !== 'closed');
  const choose = (next: boolean): void => {
    setOpen(next);
    localStorage.setItem(storageKey, next ? 'open' : 'closed');
  };
  if (isOpen)
    return (
      <Split
        id="editor.inspector"
        label="Width of the inspector"
        direction="columns"
        initial={0.64}
        first={children}
        second={<InspectorPane onClose={() => choose(false)} />}
      />
    );
  return (
    <div className={styles.frame}>
      <div className={styles.middle}>{children}</div>
      <div className={styles.edge}>
        <IconButton
          label="Open the inspector"
          icon={PanelRightOpen}
          size="small"
          onPress={() => choose(true)}
        />
      </div>
    </div>
  );
}
