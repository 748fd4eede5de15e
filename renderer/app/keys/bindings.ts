import { allPlaces, type Place } from '../places.ts';
import { setPreferences, usePreferences } from '../preferences.ts';

/** One row of the keyboard map. */
export interface Binding {
  readonly id: string;
  readonly group: 'Global' | 'Go to' | 'Lists';
  readonly words: string;
  /** By default; more than one sequence does the same. */
  readonly keys: readonly string[];
  /** It belongs to a pattern that people know from elsewhere, and cannot be given another key. */
  readonly isFixed?: true;
}

const listRows = [
  ['next', 'Next row', ['j', 'ArrowDown']],
  ['previous', 'Previous row', ['k', 'ArrowUp']],
  ['open', 'Open row', ['Enter']],
  ['select', 'Select row', ['x']],
  ['fold', 'Collapse section', ['ArrowLeft']],
  ['unfold', 'Expand section', ['ArrowRight']],
  ['search', 'Search list', ['/']],
] as const;

/** The id of the row that leads to a page. */
export const idOfPlace = ({ label }: Pick<Place, 'label'>): string => `go ${label}`;

/** The one table of keys outside the editor, which has one of its own. */
export const bindings: readonly Binding[] = [
  {
    id: 'palette',
    group: 'Global',
    words: 'Command palette',
    keys: ['Mod+k', 'Mod+Shift+p'],
  },
  { id: 'help', group: 'Global', words: 'Keyboard shortcuts', keys: ['?'] },
  { id: 'new', group: 'Global', words: 'New workflow', keys: ['c'] },
  { id: 'theme', group: 'Global', words: 'Toggle light and dark theme', keys: ['Mod+Shift+l'] },
  ...allPlaces.map((place): Binding => ({
    id: idOfPlace(place),
    group: 'Go to',
    words: place.label,
    keys: [`g ${place.key}`],
  })),
  ...listRows.map(([id, words, keys]): Binding => ({
    id: `list ${id}`,
    group: 'Lists',
    words,
    keys,
    isFixed: true,
  })),
];

/** The sequences that do it now. */
export function keysOf({ id, keys }: Binding, chosen: Readonly<Record<string, string>>): readonly string[] {
  const own = chosen[id];
  return own === undefined ? keys : [own];
}

/**
 * Gives an action another key.
 * @returns why not: the key has a meaning already
 */
export function chooseKeys(id: string, sequence: string): string | undefined {
  const chosen = usePreferences.getState().keys;
  const rival = bindings.find(
    (binding) => binding.id !== id && keysOf(binding, chosen).some((other) => getInTheWay(other, sequence)),
  );
  if (rival) return `“${sequence}” is already used for “${rival.words}”.`;
  setPreferences({ keys: { ...chosen, [id]: sequence } });
  return undefined;
}

/** The beginning of a longer sequence would never let it come to its end. */
const getInTheWay = (one: string, other: string): boolean =>
  one === other || one.startsWith(`${other} `) || other.startsWith(`${one} `);

/** Gives one action, or all, their default keys back. */
export function resetKeys(id?: string): void {
  const chosen = usePreferences.getState().keys;
  setPreferences({
    keys: id === undefined ? {} : Object.fromEntries(Object.entries(chosen).filter(([key]) => key !== id)),
  });
}
