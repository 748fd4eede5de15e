import type { EngineConfig } from '../home/config/engine-config.ts';
import type { ServerOptions } from './server.ts';

/** Server options from the configuration. */
type ConfiguredOptions = Pick<
  ServerOptions,
  'host' | 'port' | 'allowRemote' | 'basePath' | 'publicUrl' | 'servicePaths' | 'tls' | 'limits' | 'quotes'
>;

/** Returns the server options of the configuration. */
export function readServerSettings({ server, quotes }: EngineConfig): ConfiguredOptions {
  const { host, port, allowRemote, basePath, publicUrl, servicePaths, maxConnections } = server;
  const { certFile, keyFile } = server.tls;
  return {
    host,
    port,
    allowRemote,
    basePath,
    publicUrl,
    servicePaths,
    quotes,
    limits: { connections: maxConnections },
    tls: certFile === undefined || keyFile === undefined ? undefined : { certFile, keyFile },
  };
}
