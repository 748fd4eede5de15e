import styles from '../graph.module.css';
import { useCardZoom } from './use-card-zoom.ts';

/** The lane behind the handlers, which do not run among the steps. */
export function LaneNode() {
  return (
    <div className={styles.lane} data-zoom={useCardZoom()}>
      <span>Handlers</span>
    </div>
  );
}
