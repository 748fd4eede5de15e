import styles from '../webhooks.module.css';

interface EventNameProps {
  readonly event: string | undefined;
  readonly action?: string | undefined;
}

/** An event with its action, `issues.opened`. */
export function EventName({ event, action }: EventNameProps) {
  if (event === undefined) return <span className={styles.action}>no event</span>;
  return (
    <span className={styles.cut}>
      {event}
      {action !== undefined && <span className={styles.action}>.{action}</span>}
    </span>
  );
}
