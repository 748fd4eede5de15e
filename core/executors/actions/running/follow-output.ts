import type { ActionRecord } from '../messages/action-record.ts';
import { CommandReader } from '../messages/command-reader.ts';
import { LineStream } from '../messages/line-stream.ts';
import type { Job } from './job.ts';

/** Number of stderr lines in the error message of an action that does not report an error itself. */
const maxReportedLines = 10;
const maxReportedLength = 1000;

/** Receives the output of one program and writes it to the log. */
export interface OutputFollower {
  /** Returns the writable stream for stdout or stderr. */
  stream(name: 'stdout' | 'stderr'): LineStream;
  /** Returns the last lines of stderr for an error message. */
  lastLines(): string;
}

/**
 * Runs the workflow commands in a program's output and writes the rest to the log.
 * @param env environment of the program
 */
export function followOutput(
  job: Job,
  env: Readonly<Record<string, string>>,
  record: ActionRecord,
): OutputFollower {
  const reader = new CommandReader(record, job, {
    debug: env['RUNNER_DEBUG'] === '1',
    unsecure: env['ACTIONS_ALLOW_UNSECURE_COMMANDS']?.toLowerCase() === 'true',
  });
  let last: string[] = [];
  return {
    stream: (name) =>
      new LineStream(async (lines) => {
        const shown = lines.map((line) => reader.read(line)).filter((line) => line !== '');
        if (name === 'stderr') last = [...last, ...shown.slice(-maxReportedLines)].slice(-maxReportedLines);
        await job.write(name, shown.join(''));
      }),
    lastLines: () => job.maskSecrets(last.join('').trim().slice(-maxReportedLength)),
  };
}
