/**
 * The server of `webhook-receive.ts`, in its own process: an engine with a receiver on a home, or the same
 * server that responds without verifying or storing anything. Reports its URL, and its CPU time and memory on
 * request.
 */
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { openEngine, systemClock } from '../../../core/index.ts';
import { startServer } from '../../../core/http/server.ts';
import type { LazyInbound } from '../../../core/webhooks/lazy-inbound.ts';
import type { DeliveryReceiver } from '../../../core/webhooks/receiving/delivery-receiver.ts';
import { silentLogger } from '../../harness/fakes.ts';

const [what = '', home = '', secret = ''] = process.argv.slice(2);
const base = { clock: systemClock, logger: silentLogger, version: 'bench' };
const engine = await openEngine({ ...base, home, kind: 'server' });
const receiver = await engine.api.call(
  'receivers.create',
  { name: `bench-${what}`, scheme: 'platform', secrets: [secret] },
  { via: 'cli', name: 'bench' },
);

/** Reads the body and responds. */
function withoutCache(whole: LazyInbound): LazyInbound {
  const idle: Pick<DeliveryReceiver, 'receive'> = {
    async receive(_id, { body }) {
      await buffer(Readable.from(body));
      return { status: 202, body: { id: '1', runs: [] } };
    },
  };
  return Object.assign(whole, { intake: () => Promise.resolve(idle as DeliveryReceiver), serve: () => {} });
}

const inbound = what === 'floor' ? withoutCache(engine.inbound) : engine.inbound;
const { url } = await startServer({ ...base, api: engine.api, inbound, host: '127.0.0.1', port: 0 });

process.on('message', () => {
  const { user, system } = process.cpuUsage();
  process.send!({ cpuMs: (user + system) / 1000, rssMb: process.memoryUsage().rss / 1e6 });
});
process.on('disconnect', () => process.exit());
process.send!({ url: url + receiver.path });
