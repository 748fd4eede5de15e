import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { getNetworkPrefix } from '../api/auth/login-throttle.ts';
import type { Clock } from '../base/clock.ts';
import { failPoint } from '../base/fail-point.ts';
import { truncate } from '../base/text.ts';
import { maxPingBytes } from '../model/expectation.ts';
import type { PingStore, ReceivedPing } from '../store/types/pings.ts';
import { RateLimit } from './quote-rules.ts';

/** Path prefix of ping addresses. */
const pingPrefix = '/ping/';

/** Whether a request is a ping: jobs may use any name of this server, so origin and host checks do not apply. */
export const isPingPath = (url: string): boolean => url.startsWith(pingPrefix);

/** Pings per minute of one check, and requests with an unknown token per minute of one network. */
const limits = { check: 60, unknown: 60 } as const;

/**
 * Adds the addresses for pings, in the shape of Healthchecks: `/ping/TOKEN`, with `/start`, `/fail` or an exit code. The
 * token is the only credential. A ping is stored before it is answered.
 */
export function addPingRoutes(app: FastifyInstance, pings: PingStore, clock: Clock): void {
  const routes = new PingRoutes(pings, clock);
  void app.register((scope, _options, done) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, payload, parsed) => {
      readStart(payload).then((body) => parsed(null, body), parsed);
    });
    for (const url of [`${pingPrefix}:token`, `${pingPrefix}:token/:signal`])
      scope.route({
        method: ['GET', 'HEAD', 'POST'],
        url,
        // Jobs send whole logs, of which the start is stored.
        bodyLimit: Number.MAX_SAFE_INTEGER,
        handler: (request, reply) => routes.handle(request, reply),
      });
    done();
  });
}

class PingRoutes {
  readonly #pings: PingStore;
  readonly #clock: Clock;
  readonly #byCheck: RateLimit;
  readonly #unknown: RateLimit;

  constructor(pings: PingStore, clock: Clock) {
    this.#pings = pings;
    this.#clock = clock;
    this.#byCheck = new RateLimit(limits.check, clock);
    this.#unknown = new RateLimit(limits.unknown, clock);
  }

  async handle(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { token, signal } = request.params as { readonly token: string; readonly signal?: string };
    void reply.type('text/plain; charset=utf-8').header('cache-control', 'no-store');
    const check = await this.#pings.findByToken(token);
    const meaning = readSignal(signal);
    if (check === undefined || meaning === undefined) {
      const { isGranted, retryAfterSec } = this.#unknown.take(getNetworkPrefix(request.ip));
      return isGranted ? reply.code(404).send('Not found') : rejectFast(reply, retryAfterSec);
    }
    const { isGranted, retryAfterSec } = this.#byCheck.take(String(check.id));
    if (!isGranted) return rejectFast(reply, retryAfterSec);
    const isRecorded = await this.#pings.record(check.id, this.#toPing(request, meaning));
    failPoint('ping.stored');
    return isRecorded ? reply.send('OK') : reply.code(404).send('Not found');
  }

  #toPing({ method, ip, headers, body }: FastifyRequest, meaning: Meaning): ReceivedPing {
    const agent = headers['user-agent'];
    return {
      ...meaning,
      at: this.#clock.now(),
      method,
      address: ip,
      ...(agent !== undefined && { userAgent: truncate(agent, 200) }),
      // PostgreSQL stores no NUL.
      ...(Buffer.isBuffer(body) && body.length > 0 && { body: body.toString('utf8').replaceAll('\0', '') }),
    };
  }
}

type Meaning = Pick<ReceivedPing, 'kind' | 'exitCode'>;

/** Reads the last part of an address; undefined if it has no meaning. */
function readSignal(signal: string | undefined): Meaning | undefined {
  if (signal === undefined) return { kind: 'success' };
  if (signal === 'start' || signal === 'fail') return { kind: signal };
  const exitCode = Number(signal);
  if (!/^\d{1,3}$/.test(signal) || exitCode > 255) return undefined;
  return { kind: exitCode === 0 ? 'success' : 'fail', exitCode };
}

const rejectFast = (reply: FastifyReply, retryAfterSec: number): FastifyReply =>
  reply.code(429).header('retry-after', retryAfterSec).send('Rate limit exceeded');

/** Reads the first bytes of a body, and discards the rest. */
async function readStart(payload: AsyncIterable<Buffer>): Promise<Buffer> {
  const parts: Buffer[] = [];
  let missing = maxPingBytes;
  for await (const part of payload) {
    if (missing <= 0) continue;
    parts.push(part.subarray(0, missing));
    missing -= part.length;
  }
  return Buffer.concat(parts);
}
