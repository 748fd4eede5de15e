import { useState } from 'react';

/** The value of before while it says the same as the new one, so that what hangs on it is not drawn again. */
export function useKept<Value>(value: Value, isSame: (before: Value, now: Value) => boolean): Value {
  const [kept, setKept] = useState(value);
  if (kept === value || isSame(kept, value)) return kept;
  setKept(() => value);
  return value;
}
