/** Authentication schemes of receivers. */
export const receiverSchemes = [
  'platform',
  'standard',
  'bearer',
  'slack',
  'stripe',
  'gitlab',
  'microsoft',
  'basic',
  'header',
] as const;
export type ReceiverScheme = (typeof receiverSchemes)[number];

/** HTTP methods that a receiver can allow. */
export const receiverMethods = ['POST', 'GET', 'PUT', 'PATCH'] as const;
export type ReceiverMethod = (typeof receiverMethods)[number];

const bodySchemes: ReadonlySet<ReceiverScheme> = new Set([
  'platform',
  'standard',
  'slack',
  'stripe',
  'microsoft',
]);

/**
 * Whether a scheme verifies the body. It then cannot verify a GET request, whose payload is the query: with any
 * captured signature of an empty body, the query could be replaced.
 */
export const verifiesBody = (scheme: ReceiverScheme): boolean => bodySchemes.has(scheme);
