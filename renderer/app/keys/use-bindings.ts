import { usePlaces } from '../use-places.ts';
import { type Binding, bindings, idOfPlace } from './bindings.ts';

/** Returns the shortcuts available to the user, without those of hidden pages. */
export function useBindings(): readonly Binding[] {
  const shown = new Set(usePlaces().map(idOfPlace));
  return bindings.filter(({ id, group }) => group !== 'Go to' || shown.has(id));
}
