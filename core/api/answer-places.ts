const places = new WeakMap<object, string>();

/** Says where an answer is found again: a path below that of its operations, with its query. */
export const placeAnswer = (answer: object, place: string): void => void places.set(answer, place);

/** Where an answer is found again; undefined when nobody has said so. */
export const findPlace = (answer: unknown): string | undefined =>
  typeof answer === 'object' && answer !== null ? places.get(answer) : undefined;
