import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer as createSocketServer } from 'node:net';
import { join } from 'node:path';
import { build, createServer, type Plugin, type ProxyOptions } from 'vite';
import { configureNodeBuild, NODE_PROGRAMS, writeLaunchers, ENGINE_PATHS } from './build/node-programs.ts';

const ROOT = join(import.meta.dirname, '..');
const HOST = '127.0.0.1';

/**
 * `npm run dev`: serves the renderer from Vite with hot reload and proxies to the engine. A change in the
 * engine's sources rebuilds its bundle and restarts it on the same port.
 */
async function startDevelopment(): Promise<void> {
  const enginePort = await findFreePort();
  const engine = new EngineServer(enginePort);
  process.once('exit', () => engine.kill());
  await watchEngine(engine);
  const renderer = await createServer({
    configFile: join(ROOT, 'vite.config.ts'),
    server: { host: HOST, proxy: { [ENGINE_PATHS]: proxyTo(`http://${HOST}:${enginePort}`) } },
  });
  await renderer.listen();
  renderer.printUrls();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(
      signal,
      () => void Promise.all([renderer.close(), engine.stop()]).then(() => process.exit(0)),
    );
  }
}

/** Rebuilds the engine on every change; resolves after the first build. */
async function watchEngine(engine: EngineServer): Promise<void> {
  const program = NODE_PROGRAMS.find(({ folder }) => folder === 'cli');
  for (const other of NODE_PROGRAMS)
    if (other.folder === 'worker' || other.folder === 'supervisor') await build(configureNodeBuild(other));
  if (!program) throw new Error('NODE_PROGRAMS has no entry for the command line');
  const built = Promise.withResolvers<void>();
  const restart: Plugin = {
    name: 'stepwright:restart-engine',
    async closeBundle() {
      writeLaunchers();
      await engine.restart();
      built.resolve();
    },
  };
  const config = configureNodeBuild(program, [restart]);
  await build({ ...config, build: { ...config.build, watch: {} } });
  await built.promise;
}

/** The engine's server as a replaceable child process. */
class EngineServer {
  readonly #port: number;
  #child: ChildProcess | undefined;

  constructor(port: number) {
    this.#port = port;
  }

  async restart(): Promise<void> {
    await this.stop();
    const args = [join(ROOT, 'out/cli/engine.js'), 'server', '--host', HOST, '--port', String(this.#port)];
    this.#child = spawn(process.execPath, args, { cwd: ROOT, stdio: 'inherit' });
  }

  /** Stops the server, which ends its runs, and waits for it. */
  async stop(): Promise<void> {
    const child = this.#child;
    this.#child = undefined;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.kill('SIGTERM');
    await exited;
  }

  kill(): void {
    this.#child?.kill('SIGKILL');
  }
}

/** The engine checks Host and Origin; behind this proxy both must be its own. */
function proxyTo(target: string): ProxyOptions {
  return {
    target,
    changeOrigin: true,
    configure: (proxy) => proxy.on('proxyReq', (request) => request.setHeader('origin', target)),
  };
}

async function findFreePort(): Promise<number> {
  const socket = createSocketServer().listen(0, HOST);
  await once(socket, 'listening');
  const address = socket.address();
  socket.close();
  if (typeof address !== 'object' || !address) throw new Error('no free port on the loopback interface');
  return address.port;
}

await startDevelopment();
