import { useLayoutEffect, useRef } from 'react';

/** Holds the value of the last render, for stable event handlers. */
export function useLatest<Value>(value: Value): { readonly current: Value } {
  const latest = useRef(value);
  useLayoutEffect(() => {
    latest.current = value;
  });
  return latest;
}
