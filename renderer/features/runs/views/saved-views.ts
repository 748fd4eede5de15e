/** A filter of the list of runs that somebody has kept. */
export interface SavedView {
  readonly name: string;
  /** As behind the `?` of the address. */
  readonly query: string;
}

/** What reads and writes; the browser's `localStorage`. */
type Place = Pick<Storage, 'getItem' | 'setItem'>;

/** Views belong to a user on a home: a browser may know several of both. */
export const viewsKey = (home: string, user: string): string => `stepwright.runs.views.${home}.${user}`;

/** Reads the views of a place; whatever is not understood is left out. */
export function readViews(place: Place, key: string): SavedView[] {
  try {
    const stored: unknown = JSON.parse(place.getItem(key) ?? '[]');
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

/** Adds a view, instead of one of the same name; in the order of their names. */
export const withView = (views: readonly SavedView[], view: SavedView): SavedView[] =>
  [...views.filter(({ name }) => name !== view.name), view].toSorted((left, right) =>
    left.name.localeCompare(right.name),
  );

/** Stores views; false when the place takes nothing. */
export function storeViews(place: Place, key: string, views: readonly SavedView[]): boolean {
  try {
    place.setItem(key, JSON.stringify(views));
    return true;
  } catch {
    return false;
  }
}
