import { useLayoutEffect, useRef } from 'react';

/** What was handed over with the last render, for handlers that stay the same while it changes. */
export function useLatest<Value>(value: Value): { readonly current: Value } {
  const latest = useRef(value);
  useLayoutEffect(() => {
    latest.current = value;
  });
  return latest;
}
