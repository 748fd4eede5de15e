const places = new WeakMap<object, string>();

/** Sets the location of a created resource: a path relative to its operations, with its query. */
export const placeAnswer = (answer: object, place: string): void => void places.set(answer, place);

/** Returns the location of a created resource; undefined if it was not set. */
export const findPlace = (answer: unknown): string | undefined =>
  typeof answer === 'object' && answer !== null ? places.get(answer) : undefined;
