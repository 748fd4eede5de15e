import { Plus } from 'lucide-react';
import { Button } from '../../../ui/controls/button.tsx';
import { useCanvasActions } from '../commands/canvas-actions.ts';
import styles from '../canvas.module.css';

/** What is seen before there is a step. */
export function EmptyCanvas() {
  const { run } = useCanvasActions();
  return (
    <div className={styles.empty}>
      <h2>No steps yet</h2>
      <p>Drag one from the palette, or choose what the first step does.</p>
      <Button look="primary" icon={Plus} onPress={() => run('add')}>
        Add the first step
      </Button>
    </div>
  );
}
