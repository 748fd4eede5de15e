/**
 * The server of `http-api.ts`, `quotes.ts` and `gateway.ts`, in its own process: the engine on a home; or,
 * for a number of bytes, a bare server that responds with as many; or `plain` with a database: see
 * `plain-handler.ts`. Reports its URL, and on request its CPU time, its memory, and the delay of
 * its event loop since the last request.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { pathToFileURL } from 'node:url';
import { openEngine, systemClock } from '../../../core/index.ts';
import { startServer } from '../../../core/http/server.ts';
import { startSupervisor } from '../../../core/process/supervisor/supervisor-link.ts';
import { servePlainHandler } from './plain-handler.ts';
import { silentLogger } from '../../harness/fakes.ts';

const root = path.join(import.meta.dirname, '../../..');
const [what = '', argument = ''] = process.argv.slice(2);

async function listen(): Promise<string> {
  if (what === 'bare') {
    const body = Buffer.alloc(Number(argument), 'x');
    const headers = { 'content-type': 'application/json', 'content-length': body.length };
    const server = createServer((_, response) => response.writeHead(200, headers).end(body));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }
  if (what === 'plain') return await servePlainHandler(argument);
  const base = { clock: systemClock, logger: silentLogger, version: 'bench' };
  // As built: the cost of starting a process depends on the memory of the supervisor.
  const supervisor = startSupervisor(pathToFileURL(path.join(root, 'out/supervisor/program.cjs')));
  const engine = await openEngine({ ...base, home: argument, kind: 'server', supervisor });
  const metrics = await engine.metrics();
  const { url } = await startServer({
    ...base,
    api: engine.api,
    metrics,
    gateway: engine.gateway,
    host: '127.0.0.1',
    port: 0,
    // One client sends all requests; a limit that is not reached costs as much as one that is.
    quotes: { requestsPerMinute: 1_000_000_000, maintenance: false },
  });
  return url;
}

const loopDelay = monitorEventLoopDelay({ resolution: 1 });
loopDelay.enable();
process.on('message', () => {
  const { user, system } = process.cpuUsage();
  const loopMs = loopDelay.percentile(99) / 1e6;
  loopDelay.reset();
  process.send!({ cpuMs: (user + system) / 1000, rssMb: process.memoryUsage().rss / 1e6, loopMs });
});
process.on('disconnect', () => process.exit());
process.send!({ url: await listen() });
