import { Mark } from '../../app/mark.tsx';
import type { AskReason } from '../../api/session/session.ts';
import { SignIn } from './sign-in.tsx';
import styles from './sign-in.module.css';

/** Stands in place of the application until somebody has signed in. */
export function SignInPage({ reason }: { readonly reason: Exclude<AskReason, 'expired'> }) {
  return (
    <main className={styles.page}>
      <div className={styles.card}>
        <div className={styles.brand}>
          <Mark />
          <span>Stepwright</span>
        </div>
        <h1 className={styles.title}>{reason === 'left' ? 'You have signed out' : 'Sign in'}</h1>
        <SignIn isAutomatic={reason === 'first'} />
      </div>
    </main>
  );
}
