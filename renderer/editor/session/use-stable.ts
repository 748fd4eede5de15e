import { useState } from 'react';

/** Returns the previous value while the new one is equal, so that dependents do not rerender. */
export function useStable<Value>(value: Value, isSame: (before: Value, now: Value) => boolean): Value {
  const [stable, setStable] = useState(value);
  if (stable === value || isSame(stable, value)) return stable;
  setStable(() => value);
  return value;
}
