import type { SignInReason } from '../../api/session/session.ts';
import { SignIn } from './sign-in.tsx';
import { SignInCard } from './sign-in-card.tsx';

/** Shown in place of the application until the user has signed in. */
export function SignInPage({ reason }: { readonly reason: Exclude<SignInReason, 'expired'> }) {
  return (
    <SignInCard title={reason === 'left' ? 'Signed out' : 'Sign in'}>
      <SignIn isAutomatic={reason === 'first'} />
    </SignInCard>
  );
}
