import { usePlaces } from '../use-places.ts';
import { type Binding, bindings, idOfPlace } from './bindings.ts';

/** The rows of the keyboard map that mean something here: none for a page that is not shown to the user. */
export function useBindings(): readonly Binding[] {
  const shown = new Set(usePlaces().map(idOfPlace));
  return bindings.filter(({ id, group }) => group !== 'Go to' || shown.has(id));
}
