import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Auth } from '../../../core/api/auth/auth.ts';
import type { Role } from '../../../core/contract/operation.ts';
import { readServerSettings } from '../../../core/http/server-settings.ts';
import { startServer, type ServerOptions } from '../../../core/http/server.ts';
import { makeTemporaryFolder } from '../../rig/temporary-folder.ts';
import { TestEngine } from '../../rig/test-engine.ts';
import { silentLogger } from '../../rig/silent-logger.ts';

/** The content of a response. */
export interface Reply {
  readonly status: number;
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into it by name
  readonly body: any;
  readonly headers: Headers;
}

/** A real engine behind a real server that requires credentials; closed by `await using`. */
export interface AuthServer extends AsyncDisposable {
  readonly engine: TestEngine;
  readonly auth: Auth;
  readonly url: string;
  /** `GET /auth/me`; a body and its content type are added when there is one. */
  ask(
    request: string,
    options?: { as?: string; body?: object; headers?: Record<string, string> },
  ): Promise<Reply>;
  /** Creates a user, whose password is `password of NAME`, and logs in. */
  enter(username: string, role: Role): Promise<{ readonly id: string; readonly token: string }>;
}

/** @param config text of `config.yaml` */
export async function serveWithAuth(
  config = 'auth: {mode: builtin}\n',
  options: Partial<ServerOptions> = {},
): Promise<AuthServer> {
  const home = makeTemporaryFolder();
  writeFileSync(join(home, 'config.yaml'), config);
  const engine = new TestEngine({ home });
  const auth = await engine.host.auth();
  const server = await startServer({
    ...readServerSettings(engine.host.config),
    api: engine.host.api,
    inbound: engine.host.inbound,
    auth,
    host: '127.0.0.1',
    port: 0,
    version: '9.9.9',
    logger: silentLogger,
    clock: engine.clock,
    ...options,
  });
  const ask: AuthServer['ask'] = async (request, { as, body, headers = {} } = {}) => {
    const [method = '', path = ''] = request.split(' ');
    const reply = await fetch(`${server.url}/api/v2${path}`, {
      method,
      headers: {
        ...(as === undefined ? {} : { authorization: `Bearer ${as}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await reply.text();
    return { status: reply.status, body: text === '' ? undefined : JSON.parse(text), headers: reply.headers };
  };
  return {
    engine,
    auth,
    url: server.url,
    ask,
    async enter(username, role) {
      const password = `password of ${username}`;
      const { id } = await auth.users.create({ username, password, role });
      return { id, token: (await auth.login(username, password)).token };
    },
    [Symbol.asyncDispose]: () => server.close(),
  };
}
