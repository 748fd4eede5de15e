/**
 * A TCP proxy in its own process, which delays what the client sends, and counts round trips: how often the
 * client has sent something after the server has answered. `delay-proxy.ts PORT MILLISECONDS`
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** The proxy, as seen by the benchmark. */
export interface DelayProxy {
  readonly port: number;
  /** Round trips of all connections since the start. */
  roundTrips(): Promise<number>;
  end(): Promise<void>;
}

/** @param delayMs of each round trip */
export async function startDelayProxy(targetPort: number, delayMs: number): Promise<DelayProxy> {
  const child = fork(import.meta.filename, [`${targetPort}`, `${delayMs}`]);
  const [port] = (await once(child, 'message')) as [number];
  return {
    port,
    async roundTrips() {
      child.send('count');
      return ((await once(child, 'message')) as [number])[0];
    },
    async end() {
      child.disconnect();
      await once(child, 'exit');
    },
  };
}

function serve(targetPort: number, delayMs: number): void {
  let roundTrips = 0;
  const relay = (near: Socket): void => {
    const far = connect(targetPort, '127.0.0.1').setNoDelay(true);
    near.setNoDelay(true);
    let hasAnswered = true;
    near.on('data', (bytes: Buffer) => {
      if (hasAnswered) roundTrips += 1;
      hasAnswered = false;
      if (delayMs === 0) far.write(bytes);
      else setTimeout(() => far.write(bytes), delayMs);
    });
    far.on('data', (bytes: Buffer) => {
      hasAnswered = true;
      near.write(bytes);
    });
    near.on('error', () => far.destroy()).on('close', () => far.destroy());
    far.on('error', () => near.destroy()).on('close', () => near.destroy());
  };
  const server = createServer(relay).listen(0, '127.0.0.1', () =>
    process.send!((server.address() as AddressInfo).port),
  );
  process.on('message', () => process.send!(roundTrips));
  process.on('disconnect', () => process.exit());
}

if (process.argv[1] === import.meta.filename) serve(Number(process.argv[2]), Number(process.argv[3]));
