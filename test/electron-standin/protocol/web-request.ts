import type { HeadersReceivedResponse, OnHeadersReceivedListenerDetails } from 'electron';
import { createStrictModule } from '../app/strict-module.ts';

export type HeadersListener = (
  details: OnHeadersReceivedListenerDetails,
  callback: (response: HeadersReceivedResponse) => void,
) => void;

/** The supported part of Electron's `session.webRequest`: response headers of the custom schemes. */
export interface WebRequest {
  onHeadersReceived(filterOrListener: unknown, listener?: HeadersListener | null): void;
}

/** @param setListener sets the listener, undefined to remove it */
export function createWebRequest(setListener: (listener: HeadersListener | undefined) => void): WebRequest {
  return createStrictModule<WebRequest>('webRequest', {
    onHeadersReceived(filterOrListener, listener) {
      const chosen = typeof filterOrListener === 'function' ? filterOrListener : listener;
      setListener((chosen as HeadersListener | null) ?? undefined);
    },
  });
}
