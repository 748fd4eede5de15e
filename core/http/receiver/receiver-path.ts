/** What the addresses of receivers begin with. */
export const receiverPrefix = '/webhooks/';

/**
 * Whether a request is for a receiver. Its sender proves itself with each request, and may know this server by any
 * name: the rules for pages and names of hosts say nothing about it.
 */
export const isReceiverPath = (method: string, url: string): boolean =>
  method === 'POST' && url.startsWith(receiverPrefix);
