import { CopyButton } from '../../ui/controls/copy-button.tsx';
import styles from './sign-in.module.css';

const command = 'engine users create admin --role admin';

/** Shown before the first admin exists, who can only be created on the machine itself. */
export function SetupNeeded() {
  return (
    <div className={styles.setup}>
      <p className={styles.text}>
        No users yet. Create the first admin on the machine that runs the engine. This page continues
        automatically.
      </p>
      <p className={styles.command}>
        <code>{command}</code>
        <CopyButton label="Copy command" text={command} />
      </p>
    </div>
  );
}
