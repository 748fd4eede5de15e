import fastify from 'fastify';
import pg from 'pg';
import { openDatabase } from '../../../core/gateway/database/open-database.ts';
import { systemClock } from '../../../core/base/system-clock.ts';
import { defaultMaxBodyBytes } from '../../../core/http/http-error.ts';
import { defaultLimits } from '../../../core/http/server.ts';
import { gatewayWorkloads } from './gateway-works.ts';
import { silentLogger } from '../../harness/fakes.ts';

/** As many connections as `gateway.ts` has clients. */
export const databaseLimits = {
  poolSize: 10,
  poolTimeoutMs: 60_000,
  statementTimeoutMs: 60_000,
  preparesStatements: true,
};

/** Runs the statement of an operation in its own transaction, and returns the first value of its result. */
type Transact = (turn: number, work: (typeof gatewayWorkloads)[number]) => Promise<string | null | undefined>;

/**
 * What the gateway does, written for these statements alone: the same HTTP library with the settings of the
 * engine's server, the statement in a transaction (read-only where possible), by plain `pg` or by the driver
 * of the embedded database.
 * @param place the URL of a server, or the home's data folder
 */
export async function servePlainHandler(place: string): Promise<string> {
  const transact = place.startsWith('postgres:') ? viaServer(place) : viaEmbedded(place);
  const { headersTimeoutMs, requestTimeoutMs, checkMs } = defaultLimits();
  const app = fastify({
    logger: false,
    bodyLimit: defaultMaxBodyBytes,
    requestTimeout: requestTimeoutMs,
    http: { headersTimeout: headersTimeoutMs, connectionsCheckingInterval: checkMs },
    forceCloseConnections: 'idle',
  });
  for (const [number, work] of gatewayWorkloads.entries()) {
    const isRead = work.body === undefined;
    app.route({
      method: isRead ? 'GET' : 'POST',
      url: `/${number}`,
      async handler(request, reply) {
        const { turn = '0' } = request.query as { readonly turn?: string };
        const text = await transact(Number(turn), work);
        if (!isRead) return reply.code(201).send();
        return reply.type('application/json; charset=utf-8').send(text);
      },
    });
  }
  return await app.listen({ port: 0, host: '127.0.0.1' });
}

function viaServer(connectionString: string): Transact {
  const pool = new pg.Pool({ connectionString, max: databaseLimits.poolSize });
  return async (turn, work) => {
    const { text, values } = work.plain(turn);
    const client = await pool.connect();
    try {
      await client.query(`BEGIN READ ${work.body === undefined ? 'ONLY' : 'WRITE'}`);
      const { rows } = await client.query<string[]>({ text, values: [...values], rowMode: 'array' });
      await client.query('COMMIT');
      return rows[0]?.[0];
    } finally {
      client.release();
    }
  };
}

function viaEmbedded(data: string): Transact {
  const database = openDatabase(databaseLimits, { data }, systemClock, silentLogger);
  return async (turn, work) => {
    const transaction = { isReadOnly: work.body === undefined, statements: [work.plain(turn)] };
    const [result] = await database.transact(transaction);
    return result!.rows[0]?.[0];
  };
}
