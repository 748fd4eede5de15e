import { CircleAlert, ExternalLink, KeyRound } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import type { Clock } from '../../../core/base/clock.ts';
import type { LoginKindView } from '../../../core/contract/accounts.ts';
import { toAppError, type AppError } from '../../../core/base/errors.ts';
import { systemClock, useNow } from '../../base/clock.ts';
import controls from '../../ui/controls.module.css';
import { useSignIn } from '../../api/session-queries.ts';
import { readFieldErrors } from '../../format/error-text.ts';
import { Button } from '../../ui/button.tsx';
import { PasswordField, FieldErrorScope, TextField } from '../../ui/fields.tsx';
import styles from './account.module.css';

/** Why sign-in does not work, in one sentence. */
export function Problem({ children }: { readonly children: React.ReactNode }) {
  return (
    <p className={styles.problem} role="alert">
      <CircleAlert size={16} aria-hidden="true" />
      <span>{children}</span>
    </p>
  );
}

/**
 * Returns the address where a login at an identity provider starts, including the return address.
 * @param path path of the login on this server
 * @param page address of the page
 * @param hash where to return to; the current page by default
 */
export function findLoginAddress(
  path: string,
  page: Pick<Location, 'pathname' | 'search' | 'hash'>,
  hash: string = page.hash,
): string {
  const back = new URLSearchParams({ returnTo: page.pathname + page.search + hash });
  return `${path}?${back}`;
}

const storageKey = 'stepwright.departed';
/**
 * Time within which returning without a session means a redirect loop, and not a busy user at the
 * provider.
 */
const redirectLoopMs = 60_000;

/**
 * Whether this tab was recently redirected to the identity provider automatically. It must not be redirected
 * again, because a browser without cookies would loop forever.
 */
function wasRecentlyRedirected(clock: Clock): boolean {
  const departed = Number(sessionStorage.getItem(storageKey));
  return Math.abs(clock.now() - departed) < redirectLoopMs;
}

const recordAutoRedirect = (clock: Clock): void => sessionStorage.setItem(storageKey, String(clock.now()));

/** Called when a user is signed in: after their session ends, the tab may redirect again. */
export const clearAutoRedirect = (): void => sessionStorage.removeItem(storageKey);

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

/** Asks for user name and password. */
export function PasswordLogin({ username: known = '' }: { readonly username?: string | undefined }) {
  const [username, setUsername] = useState(known);
  const [password, setPassword] = useState('');
  const [openAt, setOpenAt] = useState(0);
  const signIn = useSignIn();
  const wait = useSecondsUntil(openAt);
  const submit = (event: React.FormEvent): void => {
    event.preventDefault();
    if (wait > 0 || signIn.isPending) return;
    signIn.mutate(readForm(event.currentTarget as HTMLFormElement), {
      onError: (error) => setOpenAt(waitEndTime(toAppError(error))),
    });
  };
  return (
    <form className={styles.form} onSubmit={submit}>
      <FieldErrorScope error={signIn.error}>
        <TextField
          label="Username"
          name="username"
          value={username}
          onChange={setUsername}
          autoComplete="username"
          autoFocus={known === ''}
        />
        <PasswordField
          label="Password"
          name="password"
          kind="current"
          value={password}
          onChange={setPassword}
          autoFocus={known !== ''}
        />
      </FieldErrorScope>
      {signIn.error && readFieldErrors(signIn.error).length === 0 && (
        <Problem>{formatError(toAppError(signIn.error), wait)}</Problem>
      )}
      <Button variant="primary" type="submit" isPending={signIn.isPending} isDisabled={wait > 0}>
        {signIn.isPending ? 'Signing in…' : 'Sign in'}
      </Button>
    </form>
  );
}

/**
 * Reads the form's elements, because a browser that fills them in does not fire events before the user
 * interacts with the page.
 */
function readForm(form: HTMLFormElement): { username: string; password: string } {
  const data = new FormData(form);
  const read = (name: string): string => {
    const value = data.get(name);
    return typeof value === 'string' ? value : '';
  };
  return { username: read('username').trim(), password: read('password') };
}

/** Returns the end of the wait time that an error requires; 0 if there is none. */
function waitEndTime({ details }: AppError): number {
  const seconds = details?.['retryAfter'];
  return typeof seconds === 'number' ? systemClock.now() + seconds * 1000 : 0;
}

function useSecondsUntil(moment: number): number {
  const now = useNow(moment > 0);
  return Math.max(0, Math.ceil((moment - now) / 1000));
}

function formatError({ code, message }: AppError, wait: number): string {
  if (code !== 'too_many_requests') return message;
  return wait > 0 ? `Too many failed attempts. Try again in ${wait} s.` : 'You can try again now.';
}
