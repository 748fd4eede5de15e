import { useState } from 'react';
import { toAppError, type AppError } from '../../../core/base/errors.ts';
import { useSignIn } from '../../api/session/session-queries.ts';
import { systemClock, useNow } from '../../app/clock.ts';
import { Button } from '../../ui/controls/button.tsx';
import { PasswordField } from '../../ui/controls/password-field.tsx';
import { TextField } from '../../ui/controls/text-field.tsx';
import { Problem } from './problem.tsx';
import styles from './sign-in.module.css';

/** Asks for user name and password. */
export function PasswordLogin({ username: known = '' }: { readonly username?: string | undefined }) {
  const [username, setUsername] = useState(known);
  const [password, setPassword] = useState('');
  const [openAt, setOpenAt] = useState(0);
  const signIn = useSignIn();
  const wait = useSecondsUntil(openAt);
  const isBlocked = username.trim() === '' || password === '' || wait > 0;
  const submit = (event: React.FormEvent): void => {
    event.preventDefault();
    if (isBlocked || signIn.isPending) return;
    signIn.mutate(
      { username: username.trim(), password },
      { onError: (thrown) => setOpenAt(systemClock.now() + readWait(toAppError(thrown)) * 1000) },
    );
  };
  return (
    <form className={styles.form} onSubmit={submit}>
      <TextField
        label="User name"
        value={username}
        onChange={setUsername}
        autoComplete="username"
        autoFocus={known === ''}
        maxLength={64}
      />
      <PasswordField
        label="Password"
        kind="current"
        value={password}
        onChange={setPassword}
        autoFocus={known !== ''}
      />
      {signIn.error && <Problem>{describe(toAppError(signIn.error), wait)}</Problem>}
      <Button look="primary" type="submit" isPending={signIn.isPending} isDisabled={isBlocked}>
        {signIn.isPending ? 'Signing in' : 'Sign in'}
      </Button>
    </form>
  );
}

/** Seconds that a refusal asks to wait. */
function readWait({ details }: AppError): number {
  const seconds = details?.['retryAfter'];
  return typeof seconds === 'number' ? seconds : 0;
}

function useSecondsUntil(moment: number): number {
  const now = useNow(moment > 0);
  return Math.max(0, Math.ceil((moment - now) / 1000));
}

function describe({ code, message }: AppError, wait: number): string {
  if (code !== 'too_many_requests') return message;
  return wait > 0 ? `Too many wrong passwords. Try again in ${wait} s.` : 'You can try again now.';
}
