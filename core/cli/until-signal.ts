import type { CommandContext } from './command-context.ts';
import { hostNotice, type LogFormat } from './report/log-lines.ts';

/**
 * Resolves at the first signal; each later one calls `force`. Call it before starting anything that needs a graceful
 * shutdown: until then a signal ends the process.
 * @param format log format of the process
 */
export function untilSignal(context: CommandContext, format: LogFormat, force: () => void): Promise<void> {
  const print = hostNotice(context, format);
  return new Promise((resolve) => {
    let asked = false;
    context.onSignal((signal) => {
      const text = asked
        ? 'killing the processes of active runs'
        : 'shutting down (repeat to kill running steps)';
      print(`${signal}: ${text}`);
      if (asked) force();
      asked = true;
      resolve();
    }, 'always');
  });
}
