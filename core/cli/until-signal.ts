import type { CommandContext } from './command-context.ts';
import { hostNotice, type LogFormat } from './report/log-lines.ts';

/**
 * Resolves at the first signal; each later one calls `force`. Call it before starting anything that needs a graceful
 * shutdown: until then a signal ends the process.
 * @param format log format of the process
 */
export function waitForSignal(context: CommandContext, format: LogFormat, force: () => void): Promise<void> {
  const print = hostNotice(context, format);
  return new Promise((resolve) => {
    let isStopping = false;
    context.onSignal((signal) => {
      const text = isStopping
        ? 'killing the processes of active runs'
        : 'shutting down (repeat to kill running steps)';
      print(`${signal}: ${text}`);
      if (isStopping) force();
      isStopping = true;
      resolve();
    }, 'always');
  });
}
