import { parentPort } from 'node:worker_threads';
import type { JqJob, JqMessage } from './jq-job.ts';
import { compileJq } from './jq-program.ts';
import { runJob } from './run-job.ts';

/** A thread that runs one job after the other; the engine never sends the next one before the end of the last. */
const port = parentPort!;
const tell = (message: JqMessage): void => port.postMessage(message);

port.on('message', (job: JqJob) => {
  const sink = {
    stdout: (text: string) => tell({ kind: 'stdout', text }),
    stderr: (text: string) => tell({ kind: 'stderr', text }),
  };
  void runJob(job, sink).then((end) => tell({ kind: 'end', end }));
});
// Ahead of the first job, which tells when it fails.
compileJq().catch(() => {});
