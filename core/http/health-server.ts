import { createServer, type Server } from 'node:http';
import { AppError } from '../base/errors.ts';

/** A health check on its own port, for a process without another server. */
export interface HealthServer {
  readonly url: string;
  readonly port: number;
  close(): Promise<void>;
}

/**
 * Serves `GET /health` on the loopback interface: 200 and `{"status":"healthy"}`, or 503 and `unhealthy`. Rejects with
 * `unavailable` if the port is in use.
 * @param options.port 0 for any free port
 */
export async function startHealthServer(options: {
  readonly port: number;
  readonly isHealthy: () => boolean;
}): Promise<HealthServer> {
  const server = createServer((request, response) => {
    const [path] = (request.url ?? '').split('?');
    response.setHeader('Content-Type', 'application/json');
    response.setHeader('Cache-Control', 'no-store');
    if (path !== '/health') return void response.writeHead(404).end('{"code":"not_found"}');
    if (request.method !== 'GET' && request.method !== 'HEAD')
      return void response.writeHead(405, { Allow: 'GET, HEAD' }).end();
    const isHealthy = options.isHealthy();
    response
      .writeHead(isHealthy ? 200 : 503)
      .end(JSON.stringify({ status: isHealthy ? 'healthy' : 'unhealthy' }));
  });
  await listen(server, options.port);
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : options.port;
  return {
    url: `http://127.0.0.1:${port}/health`,
    port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const isTaken = error.code === 'EADDRINUSE';
      const message = isTaken
        ? `Port ${port} for the health check is already in use. Set scheduler.port or ENGINE_SCHEDULER_PORT to another port, or to 0 to disable the health check.`
        : `The health check cannot listen on port ${port} (${error.code}). Set scheduler.port or ENGINE_SCHEDULER_PORT to another port, or to 0 to disable it.`;
      reject(new AppError('unavailable', message, { cause: error }));
    });
    server.listen(port, '127.0.0.1', resolve);
  });
}
