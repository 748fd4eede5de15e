import type { Executor } from '../executor.ts';
import { runProcess } from './run-process.ts';

/** A program with arguments, without a shell. Each element is expanded on its own and stays one argument. */
export const argvExecutor: Executor<'argv'> = {
  kind: 'argv',
  start: (context, { argv }) =>
    runProcess(context, async () => ({
      argv: await Promise.all(argv.map((element) => context.expand(element))),
    })),
};
