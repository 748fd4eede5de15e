import { afterAll } from 'vitest';
import type { GatewayDatabase } from '../../../../core/gateway/database/database.ts';
import type { DatabaseSettings } from '../../../../core/gateway/database/open-database.ts';
import { readGatewaySettings } from '../../../../core/gateway/read-gateway-settings.ts';
import type { GatewaySettings } from '../../../../core/gateway/gateway-settings.ts';
import { assembleGateway, type OpenGateway } from '../../../../core/gateway/service/open-gateway.ts';
import { systemClock } from '../../../../core/system-clock.ts';
import { describeOnDatabases, type DatabaseUnderTest } from '../../../rig/databases/describe-on-databases.ts';
import { usualVersions } from '../../../rig/databases/postgres.ts';
import type { ServerOptions } from '../../../../core/http/server.ts';
import { type ServedApi, serve } from '../api-house.ts';
import { silentLogger } from '../../../rig/silent-logger.ts';
import { defaultConfig } from '../../../rig/default-config.ts';

/** What came back over HTTP. */
export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  /** As it came: digits of numbers are for tests to look at. */
  readonly text: string;
  /** Parsed; undefined for what is no JSON. */
  readonly body: unknown;
}

export interface Sent {
  readonly method?: string;
  readonly headers?: Record<string, string>;
  /** A text goes out as it is, everything else as JSON. */
  readonly body?: unknown;
}

/** A real server before a real gateway, of settings that a test chooses. */
export class GatewayHouse implements AsyncDisposable {
  readonly open: OpenGateway;
  readonly #served: ServedApi;

  private constructor(open: OpenGateway, served: ServedApi) {
    this.open = open;
    this.#served = served;
  }

  static async build(
    database: GatewayDatabase,
    changes: Partial<GatewaySettings> = {},
    options: Partial<ServerOptions> = {},
  ): Promise<GatewayHouse> {
    const settings: GatewaySettings = { ...readGatewaySettings(defaultConfig), ...changes };
    const open = assembleGateway({ settings, database, clock: systemClock, logger: silentLogger });
    const gateway = {
      ...settings,
      takesTokens: settings.jwtKey !== undefined,
      handle: open.gateway.handle.bind(open.gateway),
    };
    return new GatewayHouse(open, await serve({ gateway, clock: systemClock, ...options }));
  }

  /** @param path behind `/gateway` */
  async ask(
    path: string,
    { method = 'GET', headers = {}, body }: Sent = {},
    signal?: AbortSignal,
  ): Promise<Reply> {
    const isJson = body !== undefined && typeof body !== 'string';
    const reply = await this.#served.fetch(`/gateway${path}`, {
      method,
      headers: { ...(isJson && { 'content-type': 'application/json' }), ...headers },
      ...(body !== undefined && { body: isJson ? JSON.stringify(body) : body }),
      ...(signal && { signal }),
    });
    const text = await reply.text();
    return { status: reply.status, headers: reply.headers, text, body: parse(text) };
  }

  /** Like `ask`, with `Prefer: return=representation`. */
  write(method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Reply> {
    return this.ask(path, { method, body, headers: { prefer: 'return=representation', ...headers } });
  }

  /** Its database stays open. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#served[Symbol.asyncDispose]();
    await this.open.catalogs.close();
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A place in which tests of one file work, on one of the databases. */
export interface GatewayScene {
  /** The gateway with settings that nobody has changed. */
  readonly house: GatewayHouse;
  readonly under: DatabaseUnderTest;
  /** Runs a script and has the catalog read anew. */
  script(sql: string): Promise<void>;
  /** Another server with other settings over the same database, closed with the file. */
  build(changes: Partial<GatewaySettings>, options?: Partial<ServerOptions>): Promise<GatewayHouse>;
}

/**
 * The same tests over HTTP on the embedded database and the usual servers.
 * @param script what the database holds beforehand
 * @param changes of the settings of the database
 */
export function describeOnGateways(
  name: string,
  script: string,
  define: (scene: () => Promise<GatewayScene>) => void,
  changes: Partial<DatabaseSettings> = {},
): void {
  describeOnDatabases(
    name,
    (under) => {
      let scene: Promise<GatewayScene> | undefined;
      const houses: GatewayHouse[] = [];
      const begin = async (): Promise<GatewayScene> => {
        const { database } = under();
        await database.runScript(script);
        const build = async (
          wishes: Partial<GatewaySettings>,
          options: Partial<ServerOptions> = {},
        ): Promise<GatewayHouse> => {
          const house = await GatewayHouse.build(database, wishes, options);
          houses.push(house);
          return house;
        };
        const house = await build({});
        const run = async (sql: string): Promise<void> => {
          await database.runScript(sql);
          await house.open.catalogs.reload();
        };
        return { house, under: under(), script: run, build };
      };
      afterAll(async () => {
        for (const house of houses) await house[Symbol.asyncDispose]();
      });
      define(() => (scene ??= begin()));
    },
    { changes, versions: usualVersions },
  );
}
