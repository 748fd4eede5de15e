import { RotateCw, CircleCheck } from 'lucide-react';
import { useEffect, useEffectEvent, useState, Fragment } from 'react';
import { Dialog, Heading, Modal, ModalOverlay } from 'react-aria-components';
import { toAppError } from '../../../core/base/errors.ts';
import type { OperationOutput } from '../../../core/contract/operations.ts';
import { CopyButton } from '../../ui/toasts.tsx';
import { Button } from '../../ui/button.tsx';
import { useLoginInfo, useDetectSignIn } from '../../api/session-queries.ts';
import { useSession, useSessionState, type SignInReason } from '../../api/session.ts';
import overlay from '../../ui/overlay.module.css';
import { EmptyState } from '../../ui/state.tsx';
import { Page } from '../../ui/page.tsx';
import styles from './account.module.css';
import { Problem, PasswordLogin, SingleSignOn, clearAutoRedirect } from './sign-in-methods.tsx';

/** The application's logo: three connected steps. */
export function Logo() {
  return (
    <svg
      className={styles.mark}
      width="24"
      height="24"
      viewBox="0 0 32 32"
      aria-hidden="true"
      focusable="false"
    >
      <rect width="32" height="32" rx="8" fill="var(--accent)" />
      <g
        stroke="var(--text-on-accent)"
        fill="none"
        strokeWidth="2.4"
        strokeLinecap="round"
        strokeLinejoin="round"
      >
        <path d="M9 22.5h6v-6.5h7V9.5" strokeOpacity="0.55" />
      </g>
      <g fill="var(--text-on-accent)">
        <circle cx="9" cy="22.5" r="3.1" />
        <circle cx="15.5" cy="16" r="3.1" />
        <circle cx="22" cy="9.5" r="3.1" />
      </g>
    </svg>
  );
}

interface SignInCardProps {
  readonly title: string;
  readonly children: React.ReactNode;
}

/** The card shown in place of the application. */
function SignInCard({ title, children }: SignInCardProps) {
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

const command = 'engine users create admin --role admin';

/** Shown before the first admin exists. Admins can only be created on the machine itself. */
function SetupNeeded() {
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

interface UnreachableProps {
  readonly error: unknown;
  readonly isConnecting: boolean;
  readonly onRetry: () => void;
}

/** Shown when the login methods cannot be loaded because the server is unreachable. */
function ServerUnreachable({ error, isConnecting, onRetry }: UnreachableProps) {
  return (
    <div className={styles.ways}>
      <Problem>{toAppError(error).message}</Problem>
      <p className={styles.text}>Retrying automatically.</p>
      <Button icon={RotateCw} isPending={isConnecting} onPress={onRetry}>
        Try now
      </Button>
    </div>
  );
}

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
function SignIn(props: SignInProps) {
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

/** Blank screen while checking whether sign-in is required. */
function Opening() {
  const session = useSession();
  const { data: info, error, isFetching, refetch } = useLoginInfo();
  useEffect(() => {
    if (info === undefined) return;
    // If the page has no way to sign in, the browser itself asks for a user name and password.
    if (info.signedIn || info.logins.length === 0) session.admit();
    else session.askFirst();
  }, [info, session]);
  if (!error) return null;
  return (
    <SignInCard title="Sign in">
      <ServerUnreachable error={error} isConnecting={isFetching} onRetry={() => void refetch()} />
    </SignInCard>
  );
}

/** Asks for a new session above the application; it closes only when there is one. */
function SignInDialog() {
  const { who } = useSessionState();
  return (
    <ModalOverlay isOpen isKeyboardDismissDisabled className={`${overlay.scrim} ${styles.scrim}`}>
      <Modal className={`${overlay.modal} ${styles.modal}`}>
        <Dialog className={styles.dialog}>
          <Heading slot="title" className={styles.title}>
            Your session has ended
          </Heading>
          <p className={styles.text}>Sign in again to continue. Your changes are kept.</p>
          <SignIn isContinued username={who?.user?.username} />
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}

/** Shown in place of the application until the user has signed in. */
function SignInPage({ reason }: { readonly reason: Exclude<SignInReason, 'expired'> }) {
  return (
    <SignInCard title={reason === 'left' ? 'Signed out' : 'Sign in'}>
      <SignIn isAutomatic={reason === 'first'} />
    </SignInCard>
  );
}

/** The landing page of a login that was started in a separate tab. */
export function SignedInPage() {
  return (
    <Page title="Signed in">
      <EmptyState icon={CircleCheck} title="You are signed in">
        <p>You can close this tab and return to the previous one.</p>
      </EmptyState>
    </Page>
  );
}

/**
 * Renders the application once access is confirmed; nothing is requested from the engine before. Otherwise it
 * renders the sign-in page in its place. If a session ends during use, sign-in is shown above the application,
 * which keeps its state.
 */
export function SessionGate({ children }: { readonly children: React.ReactNode }) {
  const { asking, person, who } = useSessionState();
  useEffect(() => {
    if (who) clearAutoRedirect();
  }, [who]);
  if (asking === 'unknown') return <Opening />;
  if (asking === 'first' || asking === 'left') return <SignInPage reason={asking} />;
  return (
    <>
      <Fragment key={person}>{children}</Fragment>
      {asking === 'expired' && <SignInDialog />}
    </>
  );
}
