const locations = new WeakMap<object, string>();

/** Sets the location of a created resource: a path relative to its operations, with its query. */
export const setLocation = (response: object, location: string): void =>
  void locations.set(response, location);

/** Returns the location of a created resource; undefined if it was not set. */
export const findLocation = (response: unknown): string | undefined =>
  typeof response === 'object' && response !== null ? locations.get(response) : undefined;
