import { Logo } from '../../app/mark.tsx';
import styles from './sign-in.module.css';

interface SignInCardProps {
  readonly title: string;
  readonly children: React.ReactNode;
}

/** The card shown in place of the application. */
export function SignInCard({ title, children }: SignInCardProps) {
  return (
    <main className={styles.page}>
      <div className={styles.card}>
        <div className={styles.brand}>
          <Logo />
          <span>Stepwright</span>
        </div>
        <h1 className={styles.title}>{title}</h1>
        {children}
      </div>
    </main>
  );
}
