const shared = new WeakSet<object>();

/** Marks a response as shared by several callers and immutable, so that it can be encoded once. */
export const markCached = (response: object): void => void shared.add(response);

export const isShared = (response: unknown): response is object =>
  typeof response === 'object' && response !== null && shared.has(response);
