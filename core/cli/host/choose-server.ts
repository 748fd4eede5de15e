import { AppError } from '../../base/errors.ts';
import type { ServerTarget } from '../command-context.ts';
import type { GlobalOptions } from '../program/hooks.ts';

/**
 * The server that a command works through: `--server`, else `ENGINE_SERVER`; none when `--engine-home` names a home of
 * this machine. Throws `bad_request` for flags that contradict each other.
 */
export function chooseServer(
  { server, token, engineHome }: GlobalOptions,
  environment: Readonly<Record<string, string | undefined>>,
): ServerTarget | undefined {
  if (server !== undefined && engineHome !== undefined) {
    throw new AppError(
      'bad_request',
      '--server and --engine-home contradict each other: a server has a home of its own; leave one of them out',
    );
  }
  const url = server ?? (engineHome === undefined ? environment['ENGINE_SERVER'] : undefined);
  if (url !== undefined && url !== '') return { url, token: token ?? readToken(environment) };
  if (token === undefined) return undefined;
  throw new AppError('bad_request', '--token is for a server; add --server URL, or leave --token out');
}

const readToken = (environment: Readonly<Record<string, string | undefined>>): string | undefined =>
  environment['ENGINE_SERVER_TOKEN'] || undefined;
