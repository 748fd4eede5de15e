// A file of its own: the program of a worker thread.
import { parentPort } from 'node:worker_threads';
import type { JqJob, JqMessage } from './jq-job.ts';
import { compileJq, runJob } from './run-job.ts';

/** Worker thread that runs one job at a time. The engine sends the next job only after the previous one has ended. */
const port = parentPort!;
const notify = (message: JqMessage): void => port.postMessage(message);

port.on('message', (job: JqJob) => {
  const sink = {
    stdout: (text: string) => notify({ kind: 'stdout', text }),
    stderr: (text: string) => notify({ kind: 'stderr', text }),
  };
  void runJob(job, sink).then((end) => notify({ kind: 'end', end }));
});
// Compile before the first job arrives. A failure is reported by the first job.
compileJq().catch(() => {});
