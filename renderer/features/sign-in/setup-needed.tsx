import { CopyButton } from '../../ui/controls/copy-button.tsx';
import styles from './sign-in.module.css';

const command = 'engine users create admin --role admin';

/** Nobody can sign in before the first admin is there, and only the machine itself can make one. */
export function SetupNeeded() {
  return (
    <div className={styles.setup}>
      <p className={styles.text}>
        There are no users yet. Make the first admin on the machine where the engine runs; the command asks
        for a password. When the engine has a home of its own, its log names the command with that home. This
        page goes on by itself.
      </p>
      <p className={styles.command}>
        <code>{command}</code>
        <CopyButton label="Copy the command" text={command} />
      </p>
    </div>
  );
}
