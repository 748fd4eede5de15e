import type { WireValue } from './wire.ts';

/** Messages from a page's preload world to the main process. */
export type PageMessage =
  | { readonly kind: 'invoke'; readonly id: number; readonly channel: string; readonly args: WireValue }
  | { readonly kind: 'send'; readonly channel: string; readonly args: WireValue }
  | { readonly kind: 'open'; readonly url: string; readonly frameName: string; readonly features: string }
  | { readonly kind: 'title'; readonly title: string }
  | { readonly kind: 'preload-error'; readonly message: string };

/** Messages from the main process to a page's preload world. */
export type HostMessage =
  | { readonly kind: 'push'; readonly channel: string; readonly args: WireValue }
  | { readonly kind: 'resolve'; readonly id: number; readonly value: WireValue }
  | { readonly kind: 'reject'; readonly id: number; readonly channel: string; readonly error: string };

/** Name of the function that the preload world calls in the main process. */
export const HOST_BINDING = '__standinToHost';

/**
 * Placeholder for the path of a file until the message that contains it has left the page, followed by its
 * index in the list with the global name below and by `;`: only the browser knows the path of a file.
 */
export const FILE_MARK = 'standin-file:';

/** Name of the preload world's list of files whose paths were requested. */
export const PAGE_FILES = '__standinFiles';

/** Name of the function that the main process calls in the preload world. */
export const PAGE_INBOX = '__standinInbox';
