import { CircleAlert } from 'lucide-react';
import styles from './sign-in.module.css';

/** Why sign-in does not work, in one sentence. */
export function Problem({ children }: { readonly children: React.ReactNode }) {
  return (
    <p className={styles.problem} role="alert">
      <CircleAlert size={16} aria-hidden="true" />
      <span>{children}</span>
    </p>
  );
}
