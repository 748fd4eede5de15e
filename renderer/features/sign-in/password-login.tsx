import { useState } from 'react';
import { toAppError, type AppError } from '../../../core/base/errors.ts';
import { useSignIn } from '../../api/session/session-queries.ts';
import { systemClock, useNow } from '../../app/clock.ts';
import { readFieldErrors } from '../../format/error-text.ts';
import { Button } from '../../ui/controls/button.tsx';
import { PasswordField } from '../../ui/controls/password-field.tsx';
import { FieldErrorScope } from '../../ui/controls/field-error-scope.tsx';
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
        <Problem>{describe(toAppError(signIn.error), wait)}</Problem>
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

function describe({ code, message }: AppError, wait: number): string {
  if (code !== 'too_many_requests') return message;
  return wait > 0 ? `Too many wrong passwords. Try again in ${wait} s.` : 'You can try again now.';
}
