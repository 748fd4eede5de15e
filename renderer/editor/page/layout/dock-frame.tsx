import { PanelRightOpen } from 'lucide-react';
import { IconButton } from '../../../ui/controls/icon-button.tsx';
import { Split } from '../../../ui/layout/splitter.tsx';
import { InspectorPane } from '../../inspector/inspector-pane.tsx';
import { DryPane } from '../../run/panels/dry-pane.tsx';
import { useTestState } from '../../run/test-store.ts';
import type { EditorView } from '../view-choice.ts';
import styles from './layout.module.css';
import { setPanel, usePanels } from './panel-state.ts';
import { useDock } from './use-dock.ts';

interface DockFrameProps {
  readonly view: EditorView;
  readonly children: React.ReactNode;
}

/** The views with the inspector at their right, or above the code; a dry run takes its place while it is shown. */
export function DockFrame({ view, children }: DockFrameProps) {
  const dock = useDock(view);
  const isOpen = usePanels(({ open }) => open[dock]);
  const isDry = useTestState(({ dry }) => dry !== undefined);
  const panel = isDry ? (
    <DryPane />
  ) : isOpen ? (
    <InspectorPane onClose={() => setPanel(dock, false)} />
  ) : undefined;
  return (
    <div className={styles.frame}>
      <Split
        id="editor.inspector"
        label="Width of the inspector"
        direction="columns"
        initial={0.64}
        first={children}
        second={dock === 'inspector' ? panel : undefined}
      />
      {dock === 'drawer' && panel && (
        <div className={styles.drawer}>
          <Split
            id="editor.drawer"
            label="Width of the inspector"
            direction="columns"
            initial={0.5}
            first={null}
            second={panel}
          />
        </div>
      )}
      {!panel && (
        <div className={styles.edge}>
          <IconButton
            label="Open the inspector"
            icon={PanelRightOpen}
            size="small"
            onPress={() => setPanel(dock, true)}
          />
        </div>
      )}
    </div>
  );
}
