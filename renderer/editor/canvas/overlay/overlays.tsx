import { useRef } from 'react';
import { Dialog, Popover } from 'react-aria-components';
import { systemClock } from '../../../app/clock.ts';
import overlay from '../../../ui/overlay/overlay.module.css';
import { SnippetPicker } from '../../palette/snippet-picker.tsx';
import { useCanvasActions } from '../commands/canvas-actions.ts';
import type { DrawnWorkflow } from '../model/use-canvas-graph.ts';
import { useCanvasState, useCanvasStore } from '../state/canvas-store.ts';
import styles from '../canvas.module.css';
import { KeysDialog } from '../keys/keys-dialog.tsx';
import { CanvasMenu } from '../menu/canvas-menu.tsx';
import { ConnectPicker } from './connect-picker.tsx';

/** Renders the open overlay above the canvas, one at a time. Closing it returns the focus to the canvas. */
export function CanvasOverlays({ drawn }: { readonly drawn: DrawnWorkflow }) {
  const store = useCanvasStore();
  const { focusCard, add, connect } = useCanvasActions();
  const shown = useCanvasState((state) => state.overlay);
  if (!shown) return null;
  const close = (): void => {
    // The chosen action may already have opened another overlay.
    if (store.getState().overlay !== shown) return;
    store.setState({ overlay: undefined });
    const { current } = store.getState();
    if (current !== undefined) focusCard(current);
  };
  if (shown.kind === 'keys') return <KeysDialog onClose={close} />;
  if (shown.kind === 'menu')
    return <CanvasMenu graph={drawn.graph} subject={shown.subject} at={shown.at} onClose={close} />;
  if (shown.kind === 'connect')
    return (
      <AnchoredOverlay label={`Connect ${shown.from.name} to`} at={shown.at} onClose={close}>
        <ConnectPicker
          drawn={drawn}
          from={shown.from}
          onChoose={(target) => {
            close();
            connect({ source: shown.from, target });
          }}
        />
      </AnchoredOverlay>
    );
  return (
    <AnchoredOverlay label="Add step" at={shown.target.at} onClose={close}>
      <SnippetPicker
        onChoose={(snippet) => {
          store.setState({ overlay: undefined });
          // In a separate task, because in a large file the edit takes as long as closing the list.
          systemClock.after(0, () => add(snippet, shown.target));
        }}
      />
    </AnchoredOverlay>
  );
}

interface AnchoredOverlayProps {
  readonly label: string;
  readonly at: { readonly x: number; readonly y: number };
  readonly onClose: () => void;
  readonly children: React.ReactNode;
}

function AnchoredOverlay({ label, at, onClose, children }: AnchoredOverlayProps) {
  const anchor = useRef<HTMLSpanElement>(null);
  return (
    <>
      <span ref={anchor} className={styles.anchor} style={{ left: at.x, top: at.y }} />
      <Popover
        isOpen
        triggerRef={anchor}
        className={overlay.popover ?? ''}
        placement="bottom start"
        offset={6}
        onOpenChange={(open) => !open && onClose()}
      >
        <Dialog aria-label={label} className={styles.popoverDialog ?? ''}>
          {children}
        </Dialog>
      </Popover>
    </>
  );
}
