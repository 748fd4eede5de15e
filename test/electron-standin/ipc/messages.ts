import type { WireValue } from './wire.ts';

/** What a page's preload world tells the main process. */
export type PageMessage =
  | { readonly kind: 'invoke'; readonly id: number; readonly channel: string; readonly args: WireValue }
  | { readonly kind: 'send'; readonly channel: string; readonly args: WireValue }
  | { readonly kind: 'open'; readonly url: string; readonly frameName: string; readonly features: string }
  | { readonly kind: 'title'; readonly title: string }
  | { readonly kind: 'preload-error'; readonly message: string };

/** What the main process tells a page's preload world. */
export type HostMessage =
  | { readonly kind: 'push'; readonly channel: string; readonly args: WireValue }
  | { readonly kind: 'resolve'; readonly id: number; readonly value: WireValue }
  | { readonly kind: 'reject'; readonly id: number; readonly channel: string; readonly error: string };

/** The name of the function by which the preload world reaches the main process. */
export const HOST_BINDING = '__standinToHost';

/**
 * Stands for the path of a file until the message that names it has left the page, followed by its place in the list
 * with the global name below and by `;`: only the browser knows where a file lies.
 */
export const FILE_MARK = 'standin-file:';

/** The name of the preload world's list of files whose paths were asked for. */
export const PAGE_FILES = '__standinFiles';

/** The name of the function by which the main process reaches the preload world. */
export const PAGE_INBOX = '__standinInbox';
