import { useEffect, useRef } from 'react';

/**
 * Scrolls an element into view when it appears and when the window is resized, for small windows.
 * @param isWanted whether it should be visible
 * @returns the `ref` of the element
 */
export function useIntersection<Shown extends HTMLElement>(isWanted: boolean): React.RefObject<Shown | null> {
  const element = useRef<Shown>(null);
  useEffect(() => {
    if (!isWanted) return undefined;
    const show = (): void => element.current?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
    show();
    window.addEventListener('resize', show);
    return () => window.removeEventListener('resize', show);
  }, [isWanted]);
  return element;
}
