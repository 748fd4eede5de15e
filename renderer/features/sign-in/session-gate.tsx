import { Fragment, useEffect } from 'react';
import { useSessionState } from '../../api/session/session.ts';
import { forgetDeparture } from './automatic-departure.ts';
import { Opening } from './opening.tsx';
import { SignInDialog } from './sign-in-dialog.tsx';
import { SignInPage } from './sign-in-page.tsx';

/**
 * Shows the application to those who may see it, once it is known that they are; nothing is asked of the engine before.
 * Whoever has to sign in sees that instead, in the same place; when a
 * session ends in the middle of work, over the work, which stays as it is.
 */
export function SessionGate({ children }: { readonly children: React.ReactNode }) {
  const { asking, person, who } = useSessionState();
  useEffect(() => {
    if (who) forgetDeparture();
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
