import { CircleAlert, X } from 'lucide-react';
import { Button } from '../../../ui/controls/button.tsx';
import { IconButton } from '../../../ui/controls/icon-button.tsx';
import { useCanvasActions } from '../commands/canvas-actions.ts';
import { useCanvasState, useCanvasStore } from '../state/canvas-store.ts';
import styles from '../canvas.module.css';

/** Why something was not done, with the way out as a button. */
export function CanvasNotice() {
  const store = useCanvasStore();
  const { convertToGraph } = useCanvasActions();
  const notice = useCanvasState((state) => state.notice);
  if (!notice) return null;
  return (
    <div className={styles.notice} role="alert">
      <CircleAlert size={16} className={styles.wrong} aria-hidden="true" />
      <p>{notice.reason}</p>
      {notice.offer === 'convert-to-graph' && <Button onPress={convertToGraph}>Convert to graph</Button>}
      <IconButton label="Close" icon={X} size="small" onPress={() => store.setState({ notice: undefined })} />
    </div>
  );
}
