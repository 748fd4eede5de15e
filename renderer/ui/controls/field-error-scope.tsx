import { createContext, useCallback, useContext, useEffect, useMemo, useRef, useState } from 'react';
import { type FieldError, readFieldErrors } from '../../format/error-text.ts';
import styles from './controls.module.css';

interface Scope {
  /** Of the last error; a new array for each, even with the same contents. */
  readonly faults: readonly FieldError[];
  /** Names of the fields that show their own messages. */
  readonly shown: readonly string[];
  /** Registers a field; returns a function that unregisters it. */
  readonly claim: (name: string) => () => void;
}

const none: readonly FieldError[] = [];
const ScopeContext = createContext<Scope>({ faults: none, shown: [], claim: () => () => {} });

interface RefusalScopeProps {
  /** The engine's error; undefined if there is none. */
  readonly error: unknown;
  readonly children: React.ReactNode;
}

/** A form whose named fields show the engine's messages about them; the first such field takes the focus. */
export function RefusalScope({ error, children }: RefusalScopeProps) {
  const faults = useMemo(() => (error ? readFieldErrors(error) : none), [error]);
  const [shown, setShown] = useState<readonly string[]>([]);
  const claim = useCallback((name: string) => {
    setShown((before) => [...before, name]);
    return () => setShown((before) => before.filter((other) => other !== name));
  }, []);
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (faults.length > 0) box.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [faults]);
  const scope = useMemo(() => ({ faults, shown, claim }), [faults, shown, claim]);
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
  const { faults, claim } = useContext(ScopeContext);
  useEffect(() => (name === undefined ? undefined : claim(name)), [name, claim]);
  const [refused, setRefused] = useState({ faults, value });
  if (refused.faults !== faults) setRefused({ faults, value });
  if (name === undefined || refused.faults !== faults || refused.value !== value) return undefined;
  const own = faults.filter(({ field }) => isWithin(field, name)).map(({ problem }) => problem);
  return own.length === 0 ? undefined : own.join(' ');
}

/** The engine's message about a control other than a text field, shown below it. */
export function FaultLine({ name, value }: { readonly name: string; readonly value: string }) {
  const fault = useFieldError(name, value);
  return fault === undefined ? null : <span className={styles.fault}>{fault}</span>;
}

/** Returns the messages that no field of the form shows, and whether there are other messages. */
export function useOtherErrors(): { readonly others: readonly FieldError[]; readonly hasFaults: boolean } {
  const { faults, shown } = useContext(ScopeContext);
  const others = faults.filter(({ field }) => !shown.some((name) => isWithin(field, name)));
  return { others, hasFaults: faults.length > 0 };
}

const isWithin = (field: string, name: string): boolean => field === name || field.startsWith(`${name}.`);
