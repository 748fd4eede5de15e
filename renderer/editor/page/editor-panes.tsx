import { PanelLeftOpen, PanelRightOpen } from 'lucide-react';
import { useCallback } from 'react';
import { IconButton } from '../../ui/button.tsx';
import { Split } from '../../ui/splitter.tsx';
import { OutlinePane } from '../outline/outline-pane.tsx';
import {
  setPanel,
  usePanels,
  useHasRoom,
  type EditorView,
  useDock,
  useSessionView,
} from '../session/panel-state.ts';
import { InspectorPane } from '../inspector/inspector-pane.tsx';
import { DryRunPane } from '../run/run-panels.tsx';
import { useTestState } from '../run/test-store.ts';
import styles from './editor.module.css';

/** The outline on the left; collapsed, it leaves a narrow edge. */
export function OutlineFrame({ children }: { readonly children: React.ReactNode }) {
  const panel = useHasRoom('outline') ? 'outline' : 'outline.narrow';
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

interface DockFrameProps {
  readonly view: EditorView;
  readonly children: React.ReactNode;
}

/**
 * The views with the inspector next to or above them; a dry run takes its place while shown. Above the canvas,
 * it opens and closes with the selection until the user closes it.
 */
export function DockFrame({ view, children }: DockFrameProps) {
  const dock = useDock(view);
  const isFollowing = useFollowing(view, dock);
  const isOpen = usePanels(({ open }) => open[dock]) || isFollowing;
  const isDry = useTestState(({ dry }) => dry !== undefined);
  const close = (): void => {
    setPanel(dock, false);
    if (isFollowing) setPanel('follow', false);
  };
  const panel = isDry ? <DryRunPane /> : isOpen ? <InspectorPane onClose={close} /> : undefined;
  return (
    <div className={styles.frame}>
      <Split
        id="editor.inspector"
        label="Inspector width"
        direction="columns"
        initial={0.68}
        first={children}
        second={dock === 'inspector' ? panel : undefined}
      />
      {dock === 'drawer' && panel && <Drawer view={view}>{panel}</Drawer>}
      {!panel && (
        <div className={styles.edge} data-above={(view === 'canvas' && dock === 'drawer') || undefined}>
          <IconButton
            label="Open inspector"
            icon={PanelRightOpen}
            size="small"
            onPress={() => {
              setPanel('follow', true);
              setPanel(dock, true);
            }}
          />
        </div>
      )}
    </div>
  );
}

/** Whether the inspector is open because a step is selected. */
function useFollowing(view: EditorView, dock: 'inspector' | 'drawer'): boolean {
  const isFollowing = usePanels(({ open }) => open.follow);
  const isSelected = useSessionView(({ selection }) => selection.length > 0);
  return isFollowing && isSelected && view === 'canvas' && dock === 'drawer';
}

/** A panel above the canvas: its right side, or all of it when the code is next to it. */
function Drawer({ view, children }: DockFrameProps) {
  const notify = useReportedWidth();
  if (view === 'split')
    return (
      <div className={styles.drawer} data-side="left">
        <Split
          id="editor.code"
          label="Inspector width"
          direction="columns"
          initial={0.5}
          first={<div className={styles.cover}>{children}</div>}
          second={null}
        />
      </div>
    );
  return (
    <div className={styles.drawer}>
      <Split
        id="editor.aside"
        label="Inspector width"
        direction="columns"
        initial={0.68}
        first={null}
        second={
          <div
            ref={notify}
            className={styles.cover}
            data-cover=""
            onAnimationEnd={({ target, currentTarget }) =>
              target === currentTarget && usePanels.setState({ isCovering: true })
            }
          >
            {children}
          </div>
        }
      />
    </div>
  );
}

/** Publishes the covered width of the frame, so that canvas controls on the right move away. */
function useReportedWidth() {
  return useCallback((cover: HTMLElement | null) => {
    const frame = cover?.closest<HTMLElement>(`.${styles.frame}`);
    if (!cover || !frame) return undefined;
    const observer = new ResizeObserver(() =>
      frame.style.setProperty('--cover', `${Math.round(cover.getBoundingClientRect().width)}px`),
    );
    observer.observe(cover);
    return () => {
      observer.disconnect();
      frame.style.removeProperty('--cover');
      usePanels.setState({ isCovering: false });
    };
  }, []);
}
