import { usePlaces } from '../use-navigation-items.ts';
import { type Binding, bindings, idOfItem } from './bindings.ts';

/** Returns the shortcuts available to the user, without those of hidden pages. */
export function useBindings(): readonly Binding[] {
  const shown = new Set(usePlaces().map(idOfItem));
  return bindings.filter(({ id, group }) => group !== 'Go to' || shown.has(id));
}
