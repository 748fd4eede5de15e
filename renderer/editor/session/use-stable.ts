import { useState } from 'react';

/** Returns the previous value while the new one is equal, so that dependents do not rerender. */
export function useStable<Value>(value: Value, isSame: (before: Value, now: Value) => boolean): Value {
  const [kept, setKept] = useState(value);
  if (kept === value || isSame(kept, value)) return kept;
  setKept(() => value);
  return value;
}
