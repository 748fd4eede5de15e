import { navigationItems, type NavigationItem } from '../navigation-items.ts';
import { setPreferences, usePreferences } from '../preferences.ts';

/** A keyboard shortcut. */
export interface Binding {
  readonly id: string;
  readonly group: 'Global' | 'Go to' | 'Lists';
  readonly words: string;
  /** The defaults; each sequence triggers the action. */
  readonly keys: readonly string[];
  /** A well-known pattern, which cannot be changed. */
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

/** Returns the id of the shortcut that opens a page. */
export const navigationShortcutId = ({ label }: Pick<NavigationItem, 'label'>): string => `go ${label}`;

/** All keyboard shortcuts outside the editor, which has its own. */
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
  ...navigationItems.map((item): Binding => ({
    id: navigationShortcutId(item),
    group: 'Go to',
    words: item.label,
    keys: [`g ${item.key}`],
  })),
  ...listRows.map(([id, words, keys]): Binding => ({
    id: `list ${id}`,
    group: 'Lists',
    words,
    keys,
    isFixed: true,
  })),
];

/** Returns the current sequences of a shortcut. */
export function keysForBinding(
  { id, keys }: Binding,
  chosen: Readonly<Record<string, string>>,
): readonly string[] {
  const assigned = chosen[id];
  return assigned === undefined ? keys : [assigned];
}

/**
 * Assigns a key to an action.
 * @returns the reason if the key is already in use
 */
export function setKeyBinding(id: string, sequence: string): string | undefined {
  const chosen = usePreferences.getState().keys;
  const rival = bindings.find(
    (binding) =>
      binding.id !== id && keysForBinding(binding, chosen).some((other) => getInTheWay(other, sequence)),
  );
  if (rival) return `“${sequence}” is already used for “${rival.words}”.`;
  setPreferences({ keys: { ...chosen, [id]: sequence } });
  return undefined;
}

/** Whether one sequence is the beginning of the other, which would then be unreachable. */
const getInTheWay = (one: string, other: string): boolean =>
  one === other || one.startsWith(`${other} `) || other.startsWith(`${one} `);

/** Resets one action, or all, to the default keys. */
export function resetKeys(id?: string): void {
  const chosen = usePreferences.getState().keys;
  setPreferences({
    keys: id === undefined ? {} : Object.fromEntries(Object.entries(chosen).filter(([key]) => key !== id)),
  });
}
