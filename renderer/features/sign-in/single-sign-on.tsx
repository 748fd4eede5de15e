import { ExternalLink, KeyRound } from 'lucide-react';
import type { LoginKindView } from '../../../core/contract/auth.ts';
import controls from '../../ui/controls/controls.module.css';
import { findLoginAddress } from './login-address.ts';
import { Problem } from './problem.tsx';
import styles from './sign-in.module.css';

interface SingleSignOnProps {
  readonly login: LoginKindView;
  /** There is no other way to sign in. */
  readonly isOnly: boolean;
  /** The page waits behind: the provider gets a tab of its own. */
  readonly isContinued: boolean;
}

/** Leads to the identity provider and back. */
export function SingleSignOn({ login, isOnly, isContinued }: SingleSignOnProps) {
  if (login.problem !== undefined || login.path === undefined)
    return <Problem>{login.problem ?? 'Single sign-on is not available on this server.'}</Problem>;
  const Icon = isContinued ? ExternalLink : KeyRound;
  const href = findLoginAddress(login.path, window.location, isContinued ? '#/signed-in' : undefined);
  return (
    <>
      <a
        href={href}
        className={`${controls.button} ${isOnly ? controls.primary : controls.secondary} ${styles.wide}`}
        {...(isContinued && { target: '_blank', rel: 'noopener' })}
      >
        <Icon size={16} aria-hidden="true" />
        <span>Continue with single sign-on</span>
      </a>
      {isContinued && (
        <p className={styles.text}>It opens in a new tab. Come back to this one when you have signed in.</p>
      )}
    </>
  );
}
