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

/** The end of a list that has more: fetches the next page when it comes into sight, or on a press. */
export function LoadMore({ query }: LoadMoreProps) {
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = query;
  const end = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!hasNextPage || isFetchingNextPage || !end.current) return undefined;
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (entry?.isIntersecting) fetchNextPage();
      },
      { rootMargin: '400px' },
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
