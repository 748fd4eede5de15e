import { X } from 'lucide-react';
import { StepPanel } from '../../../features/run/step-panel.tsx';
import { IconButton } from '../../../ui/controls/icon-button.tsx';
import { useTestState } from '../test-store.ts';
import { useTestLoopContext } from '../use-test-loop.ts';
import styles from '../run.module.css';

/** The log of a step of the shown run, below the views. */
export function LogPane() {
  const loop = useTestLoopContext();
  const run = useTestState((state) => state.run);
  const logOf = useTestState((state) => state.logOf);
  if (!run || !logOf) return null;
  return (
    <section className={styles.log} aria-label={`Log of ${logOf.name}`}>
      <div className={styles.logBody}>
        <StepPanel run={run} selected={logOf} isReadOnly />
      </div>
      <div className={styles.logClose}>
        <IconButton
          label="Close log"
          icon={X}
          size="small"
          onPress={() => loop.store.setState({ logOf: undefined })}
        />
      </div>
    </section>
  );
}
