import { Move, X } from 'lucide-react';
import { Button } from '../../../ui/controls/button.tsx';
import { IconButton } from '../../../ui/controls/icon-button.tsx';
import { SeverityMark } from '../../../ui/diagnostics/severity-mark.tsx';
import { useCanvasActions } from '../commands/canvas-actions.ts';
import { useCanvasState, useCanvasStore } from '../state/canvas-store.ts';
import styles from '../canvas.module.css';

/** Shows what the canvas is waiting for, or why an edit was not made, with a button that offers a way out. */
export function CanvasNotice() {
  const store = useCanvasStore();
  const { convertToGraph } = useCanvasActions();
  const notice = useCanvasState((state) => state.notice);
  const isPlacing = useCanvasState((state) => state.isPlacing);
  if (isPlacing) return <PlacingNotice />;
  if (!notice) return null;
  return (
    <div className={styles.notice} role="alert">
      <SeverityMark severity="error" size={16} isDecorative />
      <p>{notice.reason}</p>
      {notice.offer === 'convert-to-graph' && (
        <Button onPress={convertToGraph}>Use explicit dependencies</Button>
      )}
      <IconButton label="Close" icon={X} size="small" onPress={() => store.setState({ notice: undefined })} />
    </div>
  );
}

function PlacingNotice() {
  const store = useCanvasStore();
  const many = useCanvasState(({ selected }) => selected.size);
  return (
    <div className={styles.notice} role="status" data-placing="">
      <Move size={16} aria-hidden="true" />
      <p>{many === 1 ? 'Click to place the card.' : `Click to place the ${many} cards.`}</p>
      <Button onPress={() => store.setState({ isPlacing: false })}>Cancel</Button>
    </div>
  );
}

/** Announces changes of the cards to screen readers. */
export function CanvasAnnouncer() {
  const said = useCanvasState((state) => state.said);
  return (
    <div className="visually-hidden" role="status" aria-label="Moved steps">
      {said}
    </div>
  );
}
