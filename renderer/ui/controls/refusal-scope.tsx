import { createContext, useCallback, useContext, useEffect, useMemo, useRef, useState } from 'react';
import { type FieldFault, readFaults } from '../../format/refusal-text.ts';
import styles from './controls.module.css';

interface Scope {
  /** Of the last refusal; another list for each, also when it says the same. */
  readonly faults: readonly FieldFault[];
  /** Names of the fields that show their faults themselves. */
  readonly shown: readonly string[];
  /** Tells that a field is there; the answer ends that. */
  readonly claim: (name: string) => () => void;
}

const none: readonly FieldFault[] = [];
const ScopeContext = createContext<Scope>({ faults: none, shown: [], claim: () => () => {} });

interface RefusalScopeProps {
  /** Why the engine has refused what was entered; nothing when it has not. */
  readonly error: unknown;
  readonly children: React.ReactNode;
}

/** A form in which fields with a name show what the engine has against them; the first of those gets the focus. */
export function RefusalScope({ error, children }: RefusalScopeProps) {
  const faults = useMemo(() => (error ? readFaults(error) : none), [error]);
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
 * Why the engine has refused a field as it is; undefined once it has another value.
 * @param name as scripts know the field; parts of it, such as `secrets.0` of `secrets`, are shown there as well
 */
export function useFieldFault(name: string | undefined, value: string): string | undefined {
  const { faults, claim } = useContext(ScopeContext);
  useEffect(() => (name === undefined ? undefined : claim(name)), [name, claim]);
  const [refused, setRefused] = useState({ faults, value });
  if (refused.faults !== faults) setRefused({ faults, value });
  if (name === undefined || refused.faults !== faults || refused.value !== value) return undefined;
  const own = faults.filter(({ field }) => isWithin(field, name)).map(({ problem }) => problem);
  return own.length === 0 ? undefined : own.join(' ');
}

/** Below a choice that is no line of text: why the engine has refused it. */
export function FaultLine({ name, value }: { readonly name: string; readonly value: string }) {
  const fault = useFieldFault(name, value);
  return fault === undefined ? null : <span className={styles.fault}>{fault}</span>;
}

/** The faults that no field of the form shows, and whether there are any others. */
export function useOtherFaults(): { readonly others: readonly FieldFault[]; readonly hasFaults: boolean } {
  const { faults, shown } = useContext(ScopeContext);
  const others = faults.filter(({ field }) => !shown.some((name) => isWithin(field, name)));
  return { others, hasFaults: faults.length > 0 };
}

const isWithin = (field: string, name: string): boolean => field === name || field.startsWith(`${name}.`);
