import { useEffect, useRef } from 'react';

/** Shows the control in it as if it were pointed at or had the focus, so that the state can be looked at. */
export function Forced({
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
