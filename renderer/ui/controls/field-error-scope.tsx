import { createContext, useCallback, useContext, useEffect, useMemo, useRef, useState } from 'react';
import { type FieldError, readFieldErrors } from '../../format/error-text.ts';
import styles from './controls.module.css';

interface Scope {
  /** Of the last error; a new array for each, even with the same contents. */
  readonly errors: readonly FieldError[];
  /** Names of the fields that show their own messages. */
  readonly shown: readonly string[];
  /** Registers a field; returns a function that unregisters it. */
  readonly claim: (name: string) => () => void;
}

const none: readonly FieldError[] = [];
const ScopeContext = createContext<Scope>({ errors: none, shown: [], claim: () => () => {} });

interface FieldErrorScopeProps {
  /** The engine's error; undefined if there is none. */
  readonly error: unknown;
  readonly children: React.ReactNode;
}

/** A form whose named fields show the engine's messages about them; the first such field takes the focus. */
export function FieldErrorScope({ error, children }: FieldErrorScopeProps) {
  const errors = useMemo(() => (error ? readFieldErrors(error) : none), [error]);
  const [shown, setShown] = useState<readonly string[]>([]);
  const claim = useCallback((name: string) => {
    setShown((before) => [...before, name]);
    return () => setShown((before) => before.filter((other) => other !== name));
  }, []);
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (errors.length > 0) box.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [errors]);
  const scope = useMemo(() => ({ errors, shown, claim }), [errors, shown, claim]);
  return (
    <ScopeContext value={scope}>
      <div ref={box} className={styles.scope}>
        {children}
      </div>
    </ScopeContext>
  );
}

/**
 * Returns the engine's message about a field; undefined once its value has changed.
 * @param name field name in the API; messages about its parts, such as `secrets.0` of `secrets`, are included
 */
export function useFieldError(name: string | undefined, value: string): string | undefined {
  const { errors, claim } = useContext(ScopeContext);
  useEffect(() => (name === undefined ? undefined : claim(name)), [name, claim]);
  const [refused, setRefused] = useState({ errors, value });
  if (refused.errors !== errors) setRefused({ errors, value });
  if (name === undefined || refused.errors !== errors || refused.value !== value) return undefined;
  const own = errors.filter(({ field }) => isWithin(field, name)).map(({ problem }) => problem);
  return own.length === 0 ? undefined : own.join(' ');
}

/** The engine's message about a control other than a text field, shown below it. */
export function FieldErrorLine({ name, value }: { readonly name: string; readonly value: string }) {
  const message = useFieldError(name, value);
  return message === undefined ? null : <span className={styles.fault}>{message}</span>;
}

/** Returns the messages that no field of the form shows, and whether there are other messages. */
export function useUnclaimedErrors(): {
  readonly others: readonly FieldError[];
  readonly hasFaults: boolean;
} {
  const { errors, shown } = useContext(ScopeContext);
  const others = errors.filter(({ field }) => !shown.some((name) => isWithin(field, name)));
  return { others, hasFaults: errors.length > 0 };
}

const isWithin = (field: string, name: string): boolean => field === name || field.startsWith(`${name}.`);
