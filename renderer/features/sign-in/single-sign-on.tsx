import { ExternalLink, KeyRound } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import type { LoginKindView } from '../../../core/contract/accounts/auth.ts';
import { systemClock } from '../../app/clock.ts';
import controls from '../../ui/controls/controls.module.css';
import { wasRecentlyRedirected, recordAutoRedirect } from './automatic-departure.ts';
import { findLoginAddress } from './login-address.ts';
import { Problem } from './problem.tsx';
import styles from './sign-in.module.css';

interface SingleSignOnProps {
  readonly login: LoginKindView;
  /** Whether it is the only way to sign in. */
  readonly isOnly: boolean;
  /** The application continues after sign-in: the provider opens in a separate tab. */
  readonly isContinued: boolean;
  /** Whether the page redirects automatically. */
  readonly isAutomatic: boolean;
}

/** Signs in through the identity provider. */
export function SingleSignOn({ login, ...props }: SingleSignOnProps) {
  const { path, problem } = login;
  if (problem !== undefined || path === undefined)
    return (
      <>
        <Problem>{problem ?? 'Single sign-on is not available on this server.'}</Problem>
        {problem !== undefined && <p className={styles.text}>Retrying automatically.</p>}
      </>
    );
  return <AutoRedirect path={path} {...props} />;
}

interface AutoRedirectProps extends Omit<SingleSignOnProps, 'login'> {
  readonly path: string;
}

function AutoRedirect({ path, isOnly, isContinued, isAutomatic }: AutoRedirectProps) {
  const link = useRef<HTMLAnchorElement>(null);
  const [isBack] = useState(() => isAutomatic && wasRecentlyRedirected(systemClock));
  useEffect(() => {
    if (!isAutomatic || isBack) return;
    recordAutoRedirect(systemClock);
    link.current?.click();
  }, [isAutomatic, isBack]);
  const Icon = isContinued ? ExternalLink : KeyRound;
  const href = findLoginAddress(path, window.location, isContinued ? '#/signed-in' : undefined);
  return (
    <>
      {isBack && (
        <p className={styles.text}>
          Single sign-on did not complete. If you signed in, allow cookies for this site.
        </p>
      )}
      <a
        ref={link}
        href={href}
        className={`${controls.button} ${isOnly ? controls.primary : controls.secondary} ${styles.wide}`}
        {...(isContinued && { target: '_blank', rel: 'noopener' })}
      >
        <Icon size={16} aria-hidden="true" />
        <span>Continue with single sign-on</span>
      </a>
      {isContinued && <p className={styles.text}>Opens in a new tab. Return here after signing in.</p>}
    </>
  );
}
