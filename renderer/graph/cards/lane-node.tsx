import styles from '../graph.module.css';

/** The strip behind the handlers, which run around the steps and not among them. */
export function LaneNode() {
  return (
    <div className={styles.lane}>
      <span>Handlers</span>
    </div>
  );
}
