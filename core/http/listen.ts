import type { FastifyInstance } from 'fastify';
import { AppError } from '../base/errors.ts';
import { isLoopbackName } from './origin-guard.ts';

/** Listening address. */
export interface Address {
  readonly host: string;
  /** 0 for any free port. */
  readonly port: number;
  readonly allowRemote?: boolean;
  readonly scheme: 'http' | 'https';
}

/** Binds the server and returns its URL for local browsers. Throws `AppError`. */
export async function listen(app: FastifyInstance, address: Address): Promise<string> {
  const { host, port, scheme } = address;
  if (!isLoopbackName(host) && address.allowRemote !== true) throw remoteBindError(host);
  try {
    await app.listen({ host: toBindAddress(host), port });
  } catch (error) {
    await app.close();
    throw explainBindFailure(error, address);
  }
  const bound = app.server.address();
  return `${scheme}://${toUrlHost(host)}:${typeof bound === 'object' && bound ? bound.port : port}`;
}

function remoteBindError(host: string): AppError {
  return new AppError(
    'forbidden',
    `Refusing to listen on ${host}: this server requires no authentication and other machines could reach it. ` +
      'Set AUTH_MODE=builtin, listen on 127.0.0.1, or use --allow-remote.',
  );
}

function explainBindFailure(error: unknown, { host, port }: Address): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  const options = { cause: error };
  switch (code) {
    case 'EADDRINUSE':
      return new AppError(
        'unavailable',
        `Port ${port} on ${host} is already in use. Choose another port with --port.`,
        options,
      );
    case 'EACCES':
      return new AppError(
        'forbidden',
        `Permission denied to listen on port ${port}. Choose a port above 1023.`,
        options,
      );
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return new AppError('bad_request', `${host} is not an address of this machine.`, options);
    default:
      return error;
  }
}

/** Resolves `localhost`, which may have two addresses, to the one that is always available. */
const toBindAddress = (host: string): string =>
  host.toLowerCase() === 'localhost' ? '127.0.0.1' : host.replace(/^\[(.*)\]$/, '$1');

/** Returns the loopback address for a server on all interfaces. */
function toUrlHost(host: string): string {
  const bare = host.replace(/^\[(.*)\]$/, '$1');
  if (bare === '0.0.0.0') return '127.0.0.1';
  if (bare === '::') return '[::1]';
  return bare.includes(':') ? `[${bare}]` : bare;
}
