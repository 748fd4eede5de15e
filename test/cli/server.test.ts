import { createServer } from 'node:net';
import { describe, expect, it } from 'vitest';
import { makeTestHome, runEngine, startEngine, waitForText } from '../harness/home-and-command.ts';

describe('engine server', () => {
  it.each(['SIGINT', 'SIGTERM'] as const)(
    'prints its URL on one line, responds, and closes on %s',
    async (signal) => {
      const server = startEngine(makeTestHome(), ['server', '--port', '0']);
      await waitForText(server.stdout, /\n/);
      const url = /^Stepwright is ready at (http:\/\/127\.0\.0\.1:\d+)\n$/.exec(server.stdout())?.[1];
      const reply = await fetch(`${url}/api/v2/health`);
      expect({ status: reply.status, body: await reply.json() }).toMatchObject({
        status: 200,
        body: { status: 'healthy' },
      });
      server.kill(signal);
      const { code, stdout } = await server.ended;
      expect(stdout.split('\n')).toHaveLength(2);
      expect(code).toBe(0);
    },
  );

  it('rejects a port in use and a public host', async () => {
    const blocker = createServer();
    const port = await new Promise<number>((resolve) => {
      blocker.listen(0, '127.0.0.1', () => {
        const address = blocker.address();
        resolve(typeof address === 'object' && address ? address.port : 0);
      });
    });
    const taken = await runEngine(makeTestHome(), ['server', '--port', String(port)]);
    blocker.close();
    expect(taken).toMatchObject({ code: 7, stdout: '', stderr: expect.stringContaining(String(port)) });
    const open = await runEngine(makeTestHome(), ['server', '--port', '0', '--host', '0.0.0.0']);
    expect(open).toMatchObject({ code: 6, stdout: '' });
  });
});
