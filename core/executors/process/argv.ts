import type { Executor } from '../executor.ts';
import { runProcess } from './run-process.ts';

/** Runs a program with arguments, without a shell. Each element is expanded separately and stays one argument. */
export const argvExecutor: Executor<'argv'> = {
  kind: 'argv',
  start: (context, { argv }) =>
    runProcess(context, async () => ({
      argv: await Promise.all(argv.map((element) => context.expand(element))),
    })),
};
