import { once } from 'node:events';
import { createServer } from 'node:net';

/** Below the ports that systems give to whoever asks for any (Linux from 32,768 on), so that none is given away meanwhile. */
const first = 10_000;
const count = 20_000;

/** Processes of tests that run at once begin far apart. */
let next = (process.pid * 101) % count;

/** A port of 127.0.0.1 that nobody listens on, for what has to know its port before it listens. */
export async function findFreePort(): Promise<number> {
  for (;;) {
    const port = first + next;
    next = (next + 1) % count;
    const server = createServer();
    try {
      server.listen(port, '127.0.0.1');
      await once(server, 'listening');
    } catch {
      continue;
    }
    server.close();
    await once(server, 'close');
    return port;
  }
}
