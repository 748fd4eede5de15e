import styles from './side-list.module.css';

interface SideListProps<Item> {
  /** Accessible name. */
  readonly label: string;
  readonly items: readonly Item[];
  readonly keyOf: (item: Item) => string;
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
  const { label, items, keyOf, chosen, onChoose, children, foot } = props;
  return (
    <ul className={styles.list} aria-label={label}>
      {items.map((item) => (
        <li key={keyOf(item)}>
          <button
            type="button"
            className={styles.item}
            aria-current={keyOf(item) === chosen ? 'true' : undefined}
            onClick={() => onChoose(keyOf(item))}
          >
            {children(item)}
          </button>
        </li>
      ))}
      {foot !== undefined && <li>{foot}</li>}
    </ul>
  );
}
