import { useEffect, useRef } from 'react';
import { Button } from '../controls/button.tsx';
import styles from './list.module.css';

interface LoadMoreProps {
  readonly query: {
    readonly hasNextPage: boolean;
    readonly isFetchingNextPage: boolean;
    fetchNextPage(): unknown;
  };
}

/** Fetched so early, pixels before its end, that a list that is scrolled never comes to it and nothing moves there. */
const margin = '1600px';

/** The end of a list that has more: fetches the next page before it comes into sight, or on a press. */
export function LoadMore({ query }: LoadMoreProps) {
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = query;
  const end = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!hasNextPage || isFetchingNextPage || !end.current) return undefined;
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (entry?.isIntersecting) fetchNextPage();
      },
      // A margin counts only for the box that is scrolled.
      { root: findScrolled(end.current), rootMargin: margin },
    );
    observer.observe(end.current);
    return () => observer.disconnect();
  }, [hasNextPage, isFetchingNextPage, fetchNextPage]);
  if (!hasNextPage) return null;
  return (
    <div ref={end} className={styles.more}>
      <Button isPending={isFetchingNextPage} onPress={() => fetchNextPage()}>
        {isFetchingNextPage ? 'Loading' : 'Load more'}
      </Button>
    </div>
  );
}

/** The box within which an element is scrolled; the window when there is none. */
function findScrolled(element: HTMLElement): HTMLElement | null {
  for (let box = element.parentElement; box; box = box.parentElement)
    if (['auto', 'scroll'].includes(getComputedStyle(box).overflowY)) return box;
  return null;
}
