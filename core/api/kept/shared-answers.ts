const shared = new WeakSet<object>();

/** Says that an answer is given to several callers as the same object, which never changes: it may be encoded once. */
export const markShared = (answer: object): void => void shared.add(answer);

export const isShared = (answer: unknown): answer is object =>
  typeof answer === 'object' && answer !== null && shared.has(answer);
