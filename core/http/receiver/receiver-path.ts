/** Path prefix of receivers. */
export const receiverPrefix = '/webhooks/';

/**
 * Whether a request is for a receiver. Senders authenticate each request and may use any host name of this server, so
 * origin and host checks do not apply.
 */
export const isReceiverPath = (method: string, url: string): boolean =>
  method === 'POST' && url.startsWith(receiverPrefix);
