import { useEffect, useRef, useState } from 'react';
import { useBridge } from '../../api/bridge.ts';
import { usePreferences } from '../../base/preferences.ts';
import { Button } from '../button.tsx';
import { Split } from '../splitter.tsx';
import { Quote, Notice } from '../state.tsx';
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

interface SideListProps<Item> {
  /** Accessible name. */
  readonly label: string;
  readonly items: readonly Item[];
  readonly getKey: (item: Item) => string;
  /** Key of the selected item. */
  readonly chosen: string | undefined;
  readonly onChoose: (key: string) => void;
  /** Renders the content of an item's button. */
  readonly children: (item: Item) => React.ReactNode;
  /** Shown after the last item. */
  readonly foot?: React.ReactNode;
}

/** A list of items next to the selected one. */
export function SideList<Item>(props: SideListProps<Item>) {
  const { label, items, getKey, chosen, onChoose, children, foot } = props;
  return (
    <ul className={styles.list} aria-label={label}>
      {items.map((item) => (
        <li key={getKey(item)}>
          <button
            type="button"
            className={styles.item}
            aria-current={getKey(item) === chosen ? 'true' : undefined}
            onClick={() => onChoose(getKey(item))}
          >
            {children(item)}
          </button>
        </li>
      ))}
      {foot !== undefined && <li>{foot}</li>}
    </ul>
  );
}

interface ListAndDetailProps {
  /** Name under which the width of the list is stored. */
  readonly id: string;
  /** Noun for the object in the address: `Webhook`. */
  readonly what: string;
  /** Its name or id in the address; null if the address has none. */
  readonly requested: string | null;
  /** Name or id of the object shown. */
  readonly shown: string;
  /** Whether the list is being refetched, so that the requested object may still appear. */
  readonly isFetching: boolean;
  /** A possible reason other than deletion. */
  readonly explanation?: string;
  readonly list: React.ReactNode;
  /** The selected object. */
  readonly children: React.ReactNode;
}

/** A list next to its selected object, with a notice when another object replaces the one in the address. */
export function ListAndDetail(props: ListAndDetailProps) {
  const { id, what, requested, shown, isFetching, explanation, list, children } = props;
  return (
    <>
      {requested !== null && requested !== shown && !isFetching && (
        <Notice tone="warning">
          <strong>{`${what} "${requested}" not found.`}</strong>{' '}
          {explanation ?? 'It may have been deleted, or the link is wrong.'}
        </Notice>
      )}
      <Split
        id={id}
        label={`${what} list width`}
        direction="columns"
        initial={0.3}
        first={list}
        second={children}
      />
    </>
  );
}
