import { AppError } from '../../base/errors.ts';
import type { ServerTarget } from '../command-context.ts';
import type { GlobalOptions } from '../program/hooks.ts';

/**
 * Returns the server of `--server` or `ENGINE_SERVER`; none if `--engine-home` is set. Throws `bad_request` for
 * conflicting flags.
 */
export function chooseServer(
  { server, token, engineHome }: GlobalOptions,
  environment: Readonly<Record<string, string | undefined>>,
): ServerTarget | undefined {
  if (server !== undefined && engineHome !== undefined) {
    throw new AppError(
      'bad_request',
      'Options --server and --engine-home cannot be used together. A server has its own home.',
    );
  }
  const url = server ?? (engineHome === undefined ? environment['ENGINE_SERVER'] : undefined);
  if (url !== undefined && url !== '') return { url, token: token ?? readToken(environment) };
  if (token === undefined) return undefined;
  throw new AppError('bad_request', 'Option --token requires a server. Add --server URL, or remove --token.');
}

const readToken = (environment: Readonly<Record<string, string | undefined>>): string | undefined =>
  environment['ENGINE_SERVER_TOKEN'] || undefined;
