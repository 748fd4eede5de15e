import { startServer, type RunningServer, type ServerOptions } from '../../../core/http/server.ts';
import { FakeClock } from '../../rig/fake-clock.ts';
import { FakeApi } from './fake-api.ts';
import { silentLogger } from '../../rig/silent-logger.ts';

/** A real server on a free loopback port over a fake engine; closed by `await using`. */
export interface ServedApi extends AsyncDisposable {
  readonly server: RunningServer;
  readonly api: FakeApi;
  readonly clock: FakeClock;
  readonly port: number;
  fetch(path: string, init?: RequestInit): Promise<Response>;
  post(path: string, body?: unknown): Promise<Response>;
}

export async function serve(options: Partial<ServerOptions> = {}): Promise<ServedApi> {
  const api = new FakeApi();
  const clock = new FakeClock();
  const server = await startServer({
    api,
    clock,
    host: '127.0.0.1',
    port: 0,
    version: '9.9.9',
    logger: silentLogger,
    ...options,
  });
  return {
    server,
    api,
    clock,
    port: Number(new URL(server.url).port),
    fetch: (path, init) => fetch(server.url + path, init),
    post: (path, body) =>
      fetch(server.url + path, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
    [Symbol.asyncDispose]: () => server.close(),
  };
}
