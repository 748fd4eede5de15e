import { useEffect, useRef } from 'react';

/** Renders its control in the hover or focus state, for inspection. */
export function ForcedState({
  state,
  children,
}: {
  readonly state: 'hover' | 'focus';
  readonly children: React.ReactNode;
}) {
  const box = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    const attribute = state === 'hover' ? 'data-hovered' : 'data-shows-focus';
    box.current?.querySelector('button, input, a, label')?.setAttribute(attribute, '');
  }, [state]);
  return <span ref={box}>{children}</span>;
}
