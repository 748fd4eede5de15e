import { useEffect, useRef } from 'react';

/**
 * Keeps an element in sight where there is no room for all of them, as in a small window: when it comes, and when the
 * size of the window changes.
 * @param isWanted whether it is to be seen
 * @returns the `ref` of the element
 */
export function useInSight<Shown extends HTMLElement>(isWanted: boolean): React.RefObject<Shown | null> {
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
