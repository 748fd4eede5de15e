import { useBridge } from './bridge.ts';

/** The desktop window has no server; this is the default address of `engine server`. */
const usualServer = 'http://127.0.0.1:8080';

/** Returns the server address of this window without a trailing slash, for requests to copy. */
export function useServerAddress(): string {
  const { transport } = useBridge();
  return transport === 'http' ? new URL('.', window.location.href).href.replace(/\/$/, '') : usualServer;
}
