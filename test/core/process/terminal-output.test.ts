import { spawn } from 'node-pty';
import { expect, it } from 'vitest';
import { processExists } from '../../../core/process/kill.ts';
import { TerminalOutput } from '../../../core/process/terminal.ts';
import { systemClock } from '../../../core/base/system-clock.ts';
import { until } from '../../harness/resources.ts';

it('loses nothing when the process ends without a reader', async () => {
  const env = { PATH: process.env.PATH! };
  const pty = spawn('sh', ['-c', 'head -c 70000 /dev/zero | tr "\\0" x'], {
    ...{ cwd: '/', env, cols: 80, rows: 24 },
    encoding: null,
  });
  let isOver = false;
  pty.onExit(() => (isOver = true));
  const output = new TerminalOutput(pty, systemClock);
  output.read(0);
  // More than is buffered, and all of it fits into the terminal: so the process could end.
  await until(() => !processExists(pty.pid) && isOver);
  expect(Buffer.concat(await output.toArray()).length).toBe(70_000);
});
