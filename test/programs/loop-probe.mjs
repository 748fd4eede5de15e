// Loaded into a server by NODE_OPTIONS: measures how long its event loop blocks, in CPU time of the main
// thread, so that other load on the machine changes nothing. Responds to each connection to LOOP_PROBE_SOCKET
// with one line of JSON, and starts a new measurement.
import net from 'node:net';
import { isMainThread } from 'node:worker_threads';

const socket = process.env['LOOP_PROBE_SOCKET'];
if (isMainThread && socket !== undefined && process.argv.some((word) => word === 'start-all')) watch(socket);

function watch(path) {
  let floorMs = measureBaseline();
  let last = readCpuMs();
  let maxLength = 0;
  const timer = setInterval(() => {
    const now = readCpuMs();
    maxLength = Math.max(maxLength, now - last);
    last = now;
  }, 2);
  timer.unref();
  const server = net.createServer((connection) => {
    const maxMs = Math.max(maxLength, readCpuMs() - last);
    // Most blocks are far shorter than is allowed. For a long one, the machine may be slower now than at the start.
    if (maxMs > 10 * floorMs) floorMs = measureBaseline();
    last = readCpuMs();
    maxLength = 0;
    connection.end(`${JSON.stringify({ maxMs, floorMs })}\n`);
  });
  server.listen(path);
  server.unref();
}

/** CPU time of this thread, in milliseconds. */
function readCpuMs() {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

/**
 * Cost of parsing a fixed megabyte of JSON on this machine. The system counts CPU time in ticks: the mean of
 * many.
 */
function measureBaseline() {
  const rows = Array.from({ length: 8192 }, (_, id) => ({
    id,
    name: `step ${id}`,
    tags: ['a', 'b'],
    text: 'x'.repeat(70),
  }));
  const text = JSON.stringify(rows);
  const start = readCpuMs();
  for (let times = 0; times < 20; times += 1) JSON.parse(text);
  return (readCpuMs() - start) / 20;
}
