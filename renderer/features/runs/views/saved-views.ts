/** A saved filter of the list of runs. */
export interface SavedView {
  readonly name: string;
  /** As after `?` in the address. */
  readonly query: string;
}

/** Storage for the views; the browser's `localStorage`. */
type NavigationItem = Pick<Storage, 'getItem' | 'setItem'>;

/** Returns the storage key. Views belong to a user of a home directory; one browser may use several. */
export const savedViewsKey = (home: string, user: string): string => `stepwright.runs.views.${home}.${user}`;

/** Reads the saved views; invalid ones are ignored. */
export function readViews(item: NavigationItem, key: string): SavedView[] {
  try {
    const stored: unknown = JSON.parse(item.getItem(key) ?? '[]');
    return Array.isArray(stored) ? stored.filter(isView) : [];
  } catch {
    return [];
  }
}

const isView = (value: unknown): value is SavedView =>
  typeof value === 'object' &&
  value !== null &&
  typeof (value as SavedView).name === 'string' &&
  typeof (value as SavedView).query === 'string';

/** Adds or replaces a view by name, sorted by name. */
export const withView = (views: readonly SavedView[], view: SavedView): SavedView[] =>
  [...views.filter(({ name }) => name !== view.name), view].toSorted((left, right) =>
    left.name.localeCompare(right.name),
  );

/** Stores views; returns false if the storage is unavailable. */
export function storeViews(item: NavigationItem, key: string, views: readonly SavedView[]): boolean {
  try {
    item.setItem(key, JSON.stringify(views));
    return true;
  } catch {
    return false;
  }
}
