import { useBridge } from './bridge.ts';

/** The desktop window has no server behind it; this is where `engine server` would listen. */
const usualServer = 'http://127.0.0.1:8080';

/** Where the server is that this window talks to, without a slash at the end; for requests to be copied. */
export function useServerAddress(): string {
  const { transport } = useBridge();
  return transport === 'http' ? new URL('.', window.location.href).href.replace(/\/$/, '') : usualServer;
}
