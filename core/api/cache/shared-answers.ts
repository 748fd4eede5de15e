const shared = new WeakSet<object>();

/** Marks a response as shared by several callers and immutable, so that it can be encoded once. */
export const markCached = (answer: object): void => void shared.add(answer);

export const isShared = (answer: unknown): answer is object =>
  typeof answer === 'object' && answer !== null && shared.has(answer);
