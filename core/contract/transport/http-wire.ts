/** Where the operations and streams of the table are mounted on the loopback server. */
export const apiPrefix = '/api/v2';

/** Where those are that belong to a service of version 1. */
export const v1Prefix = '/api/v1';

/** Where an operation is mounted: what comes before its path. */
export const prefixOf = ({ version }: { readonly version?: 1 }): string =>
  version === 1 ? v1Prefix : apiPrefix;

/** Names of the server-sent events of a stream; each carries JSON. */
export const streamEvents = {
  /** One item; its `id`, when it has one, is the place to resume from. The default name of the format. */
  item: 'message',
  /** The stream is over in order; reconnecting would only end again. Data: `{}`. */
  end: 'end',
  /** The stream is over for a reason. Data: an error body `{code, message, details?}`. */
  error: 'error',
} as const;

/** How often a stream that has nothing to tell sends a comment, so that both sides see that the other lives. */
export const heartbeatMs = 15_000;

/** Names of the `{…}` segments of a path of the table, in order. */
export function listPathFields(path: string): string[] {
  return Array.from(path.matchAll(/\{(\w+)\}/g), (match) => match[1]!);
}

/** Whether an operation's other input fields travel in the query string rather than in the JSON body. */
export const sendsInputInQuery = (method: string): boolean => method === 'GET' || method === 'DELETE';
