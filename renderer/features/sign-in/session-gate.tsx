import { Fragment, useEffect } from 'react';
import { useSessionState } from '../../api/session/session.ts';
import { clearAutoRedirect } from './automatic-departure.ts';
import { Opening } from './opening.tsx';
import { SignInDialog } from './sign-in-dialog.tsx';
import { SignInPage } from './sign-in-page.tsx';

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
