import { useEffect, useEffectEvent, useState } from 'react';
import type { OperationOutput } from '../../../core/contract/operations.ts';
import { useLoginInfo, useDetectSignIn } from '../../api/session/session-queries.ts';
import { ServerUnreachable } from './unreachable.tsx';
import { PasswordLogin } from './password-login.tsx';
import { SetupNeeded } from './setup-needed.tsx';
import { SingleSignOn } from './single-sign-on.tsx';
import styles from './sign-in.module.css';

interface SignInProps {
  /** The application continues after sign-in, so the page must not navigate away. */
  readonly isContinued?: boolean;
  /**
   * The user did not sign out: if an identity provider is the only way to sign in, the page redirects
   * automatically.
   */
  readonly isAutomatic?: boolean;
  /** The previous user. */
  readonly username?: string | undefined;
}

/** The ways to sign in to this server, or why it is not possible. */
export function SignIn(props: SignInProps) {
  const info = useLoginInfo();
  const detectSignIn = useEffectEvent(useDetectSignIn());
  useEffect(() => {
    const checkSession = (): void => void detectSignIn();
    window.addEventListener('focus', checkSession);
    return () => window.removeEventListener('focus', checkSession);
  }, []);
  // If a server accepts the sign-in but still denies access, the page must not stay empty.
  const [isRefused, setRefused] = useState(false);
  const isIn = info.data?.signedIn === true && !isRefused;
  useEffect(() => {
    if (isIn) void detectSignIn().then((continuesOnError) => setRefused(!continuesOnError));
  }, [isIn]);
  if (info.error)
    return (
      <ServerUnreachable
        error={info.error}
        isConnecting={info.isFetching}
        onRetry={() => void info.refetch()}
      />
    );
  if (!info.data || isIn) return null;
  return <SignInOptions info={info.data} {...props} />;
}

interface SignInOptionsProps extends SignInProps {
  readonly info: OperationOutput<'auth.info'>;
}

function SignInOptions({ info, isContinued = false, isAutomatic = false, username }: SignInOptionsProps) {
  const hasPassword = info.logins.some(({ kind }) => kind === 'password');
  const singles = info.logins.filter(({ kind }) => kind === 'oidc');
  if (info.logins.length === 0) {
    return (
      <p className={styles.text}>
        This server only accepts API tokens and basic authentication. Use the command line, or set AUTH_MODE
        to builtin or oidc.
      </p>
    );
  }
  return (
    <div className={styles.ways}>
      {info.setupNeeded && <SetupNeeded />}
      {hasPassword && !info.setupNeeded && <PasswordLogin username={username} />}
      {hasPassword && !info.setupNeeded && singles.length > 0 && <p className={styles.or}>or</p>}
      {singles.map((login) => (
        <SingleSignOn
          key={login.path}
          login={login}
          isOnly={!hasPassword}
          isContinued={isContinued}
          isAutomatic={isAutomatic && info.logins.length === 1}
        />
      ))}
    </div>
  );
}
