import { asksForCredentials } from '../auth/settings.ts';
import type { EngineConfig } from '../config/engine-config.ts';
import type { ServerOptions } from './server.ts';

/** What of a server the configuration decides. */
type ConfiguredOptions = Pick<
  ServerOptions,
  'host' | 'port' | 'allowRemote' | 'basePath' | 'publicUrl' | 'tls'
>;

/** A server that asks for credentials may be reached by other machines; one that does not, only when told so (DESIGN D10). */
export function readServerSettings({ server, auth }: EngineConfig): ConfiguredOptions {
  const { host, port, allowRemote, basePath, publicUrl } = server;
  const { certFile, keyFile } = server.tls;
  return {
    host,
    port,
    allowRemote: allowRemote || asksForCredentials(auth),
    basePath,
    publicUrl,
    tls: certFile === undefined || keyFile === undefined ? undefined : { certFile, keyFile },
  };
}
