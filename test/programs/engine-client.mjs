// `engine` of a reader of the documentation: `node engine-client.mjs SOCKET ENGINE_FILE WORD…`. Starting the built
// command takes five times as long as this, so a test process runs the command and responds with its result. It
// declines a command that has input, keeps running, or starts during another one; then the built one runs.
import { spawnSync } from 'node:child_process';
import { fstatSync } from 'node:fs';
import net from 'node:net';
import { json } from 'node:stream/consumers';

const [socket, engineFile, ...words] = process.argv.slice(2);

const hasInput = !fstatSync(0).isCharacterDevice();
const outcome = hasInput ? undefined : await ask({ words, cwd: process.cwd(), env: process.env });
if (outcome === undefined) {
  const { status } = spawnSync(process.execPath, [engineFile, ...words], { stdio: 'inherit' });
  process.exitCode = status ?? 1;
} else {
  process.stdout.write(outcome.stdout);
  process.stderr.write(outcome.stderr);
  process.exitCode = outcome.code;
}

async function ask(invocation) {
  const connection = net.connect(socket);
  connection.end(JSON.stringify(invocation));
  return (await json(connection)).outcome;
}
