import { PanelLeftOpen } from 'lucide-react';
import { IconButton } from '../../../ui/controls/icon-button.tsx';
import { Split } from '../../../ui/layout/splitter.tsx';
import { OutlinePane } from '../../outline/outline-pane.tsx';
import styles from './layout.module.css';
import { setPanel, usePanels } from './panel-state.ts';
import { useHasRoomForPanels } from './use-roomy.ts';

/** The outline on the left; collapsed, it leaves a narrow edge. */
export function OutlineFrame({ children }: { readonly children: React.ReactNode }) {
  const panel = useHasRoomForPanels() ? 'outline' : 'outline.narrow';
  const isOpen = usePanels(({ open }) => open[panel]);
  return (
    <div className={styles.frame}>
      {!isOpen && (
        <div className={styles.edge} data-side="left">
          <IconButton
            label="Open outline"
            icon={PanelLeftOpen}
            size="small"
            onPress={() => setPanel(panel, true)}
          />
        </div>
      )}
      <Split
        id="editor.outline"
        label="Outline width"
        direction="columns"
        initial={0.16}
        first={isOpen ? <OutlinePane onClose={() => setPanel(panel, false)} /> : undefined}
        second={children}
      />
    </div>
  );
}
