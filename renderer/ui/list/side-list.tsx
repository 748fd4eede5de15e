import { Notice } from '../state.tsx';
import styles from './list.module.css';

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

interface NotInListNoticeProps {
  /** Noun for the object in the address: `Webhook`. */
  readonly what: string;
  /** Its name or id in the address; null if the address has none. */
  readonly requested: string | null;
  /** Name or id of the object shown instead. */
  readonly shown: string;
  /** Whether the list is being refetched, so that the object may still appear. */
  readonly isFetching: boolean;
  /** A possible reason other than deletion. */
  readonly explanation?: string;
}

/** Notice that the object in the address is not in the list, shown above another one that replaces it. */
export function NotInListNotice({ what, requested, shown, isFetching, explanation }: NotInListNoticeProps) {
  if (requested === null || requested === shown || isFetching) return null;
  return (
    <Notice tone="warning">
      <strong>{`${what} "${requested}" not found.`}</strong>{' '}
      {explanation ?? 'It may have been deleted, or the link is wrong.'}
    </Notice>
  );
}
