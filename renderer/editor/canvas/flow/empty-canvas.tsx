import { Plus } from 'lucide-react';
import { Button } from '../../../ui/controls/button.tsx';
import { useCanvasActions } from '../commands/canvas-actions.ts';
import styles from '../canvas.module.css';

/** The empty state of the canvas. */
export function EmptyCanvas() {
  const { run } = useCanvasActions();
  return (
    <div className={styles.empty}>
      <h2>No steps yet</h2>
      <p>Add a first step, or drag one from the palette.</p>
      <Button variant="primary" icon={Plus} onPress={() => run('add')}>
        Add first step
      </Button>
    </div>
  );
}
