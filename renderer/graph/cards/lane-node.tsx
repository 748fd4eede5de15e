import styles from '../graph.module.css';
import { useCardZoom } from './use-card-zoom.ts';

/** The strip behind the handlers, which run around the steps and not among them. */
export function LaneNode() {
  return (
    <div className={styles.lane} data-zoom={useCardZoom()}>
      <span>Handlers</span>
    </div>
  );
}
