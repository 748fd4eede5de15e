import type { CommandContext } from './command-context.ts';

/**
 * Resolves at the first signal; each later one calls `force`. To be called before anything begins that has to be ended
 * in order: until then a signal simply ends the process.
 */
export function untilSignal(context: CommandContext, force: () => void): Promise<void> {
  return new Promise((resolve) => {
    let asked = false;
    context.onSignal((signal) => {
      const text = asked ? 'killing the processes of the runs' : 'closing; once more to kill running steps';
      void context.terminal.stderr.write(`engine: ${signal}: ${text}\n`);
      if (asked) force();
      asked = true;
      resolve();
    });
  });
}
