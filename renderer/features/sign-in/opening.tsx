import { useEffect } from 'react';
import { useSession } from '../../api/session/session.ts';
import { useLoginInfo } from '../../api/session/session-queries.ts';
import { SignInCard } from './sign-in-card.tsx';
import { ServerUnreachable } from './unreachable.tsx';

/** Blank screen while checking whether sign-in is required. */
export function Opening() {
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
