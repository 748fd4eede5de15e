import { once } from 'node:events';
import { createServer, type AddressInfo, type Server } from 'node:net';

/** Below the ephemeral ports of systems (Linux from 32,768 on), so that none is assigned meanwhile. */
const first = 10_000;
const count = 20_000;

/** Concurrent test processes start far apart. */
let next = (process.pid * 101) % count;

/** A free port of 127.0.0.1, for programs that must know their port before they listen. */
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

/** Listens on a free loopback port. @returns the port */
export async function listenOnLoopback(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

/** A free loopback port. */
export async function findClosedPort(): Promise<number> {
  const probe = createServer();
  const port = await listenOnLoopback(probe);
  await new Promise((resolve) => probe.close(resolve));
  return port;
}
