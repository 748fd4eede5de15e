/** Base path of the operations and streams on the server. */
export const apiPrefix = '/api/v2';

/** Base path of services with version 1. */
export const v1Prefix = '/api/v1';

/** Returns the base path of an operation. */
export const prefixOf = ({ version }: { readonly version?: 1 }): string =>
  version === 1 ? v1Prefix : apiPrefix;

/** Names of the server-sent events of a stream; each has JSON data. */
export const streamEvents = {
  /** One item; its `id`, if any, is the resume position. The default name of the format. */
  item: 'message',
  /** The stream has ended normally; reconnecting would only end again. Data: `{}`. */
  end: 'end',
  /** The stream has ended with an error. Data: an error body `{code, message, details?}`. */
  error: 'error',
} as const;

/** Interval of comments on an idle stream, so that both sides detect a broken connection. */
export const heartbeatMs = 15_000;

/** Lists the names of the `{…}` segments of a path, in order. */
export function listPathFields(path: string): string[] {
  return Array.from(path.matchAll(/\{(\w+)\}/g), (match) => match[1]!);
}

/** Whether an operation's other input fields are sent in the query string rather than in the JSON body. */
export const sendsInputInQuery = (method: string): boolean => method === 'GET' || method === 'DELETE';
