import type { ActionRecord } from '../messages/action-record.ts';
import { CommandReader } from '../messages/command-reader.ts';
import { LineStream } from '../messages/line-stream.ts';
import type { Job } from './job.ts';

/** Lines of stderr that are told when the action does not say itself what went wrong. */
const toldLines = 10;
const toldLength = 1000;

/** The output of one program on its way into the log. */
export interface FollowedOutput {
  /** Takes one of its streams. */
  stream(name: 'stdout' | 'stderr'): LineStream;
  /** The end of what came on stderr, as far as it is told. */
  lastLines(): string;
}

/** Carries out the commands in a program's output; the rest goes into the log. @param env of the program */
export function followOutput(
  job: Job,
  env: Readonly<Record<string, string>>,
  record: ActionRecord,
): FollowedOutput {
  const reader = new CommandReader(record, job, {
    debug: env['RUNNER_DEBUG'] === '1',
    unsecure: env['ACTIONS_ALLOW_UNSECURE_COMMANDS']?.toLowerCase() === 'true',
  });
  let last: string[] = [];
  return {
    stream: (name) =>
      new LineStream(async (lines) => {
        const shown = lines.map((line) => reader.read(line)).filter((line) => line !== '');
        if (name === 'stderr') last = [...last, ...shown.slice(-toldLines)].slice(-toldLines);
        await job.write(name, shown.join(''));
      }),
    lastLines: () => job.hide(last.join('').trim().slice(-toldLength)),
  };
}
