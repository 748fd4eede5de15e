import { useVisibleNavigationItems } from '../use-navigation-items.ts';
import { type Binding, bindings, navigationShortcutId } from './bindings.ts';

/** Returns the shortcuts available to the user, without those of hidden pages. */
export function useBindings(): readonly Binding[] {
  const shown = new Set(useVisibleNavigationItems().map(navigationShortcutId));
  return bindings.filter(({ id, group }) => group !== 'Go to' || shown.has(id));
}
