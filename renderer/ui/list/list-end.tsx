import { useEffect, useRef, useState } from 'react';
import { useBridge } from '../../api/bridge.ts';
import { usePreferences } from '../../base/preferences.ts';
import { Button } from '../button.tsx';
import { Quote } from '../state.tsx';
import styles from './list.module.css';

interface LoadMoreProps {
  readonly query: {
    readonly hasNextPage: boolean;
    readonly isFetchingNextPage: boolean;
    fetchNextPage(): unknown;
  };
}

/**
 * Distance from the end, in pixels, at which the next page is loaded, so that scrolling normally never reaches
 * the end.
 */
const margin = '1600px';

/** The end of a paged list: loads the next page before it scrolls into view, or on a click. */
export function LoadMore({ query }: LoadMoreProps) {
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = query;
  const end = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!hasNextPage || isFetchingNextPage || !end.current) return undefined;
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (entry?.isIntersecting) fetchNextPage();
      },
      // The margin only applies to the scroll container.
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

/** Returns the scroll container of an element; null for the window. */
function findScrolled(element: HTMLElement): HTMLElement | null {
  for (let box = element.parentElement; box; box = box.parentElement)
    if (['auto', 'scroll'].includes(getComputedStyle(box).overflowY)) return box;
  return null;
}

/** A quote for a page without activity; can be turned off in the settings. */
export function IdleQuote() {
  const { quotes } = usePreferences();
  return quotes === 'on' ? <OneQuote /> : null;
}

/**
 * Keeps the same quote while it is shown, regardless of refetches; without a response its place stays empty.
 */
function OneQuote() {
  const bridge = useBridge();
  const [text, setText] = useState('');
  useEffect(() => {
    let isMounted = true;
    bridge.call('quotes.random', {}).then(
      ({ message }) => isMounted && setText(message),
      () => {},
    );
    return () => {
      isMounted = false;
    };
  }, [bridge]);
  return <Quote text={text} />;
}
