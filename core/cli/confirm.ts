import { createInterface } from 'node:readline/promises';
import { AppError } from '../base/errors.ts';
import type { CommandContext } from './command-context.ts';

/**
 * Asks for confirmation of an irreversible action; anything but yes means no. Throws `bad_request` without a terminal.
 * @param question without its question mark
 * @param advice what to do without a terminal
 */
export async function confirm(context: CommandContext, question: string, advice: string): Promise<boolean> {
  if (!context.terminal.interactive) {
    throw new AppError('bad_request', `${question}: cannot ask for confirmation without a terminal.`, {
      details: { hint: advice },
    });
  }
  const asking = createInterface({ input: process.stdin, output: process.stderr });
  const controller = new AbortController();
  asking.once('SIGINT', () => controller.abort()).once('close', () => controller.abort());
  try {
    const answer = await asking.question(`${question}? [y/N] `, { signal: controller.signal });
    return /^y(es)?$/i.test(answer.trim());
  } catch {
    return false;
  } finally {
    asking.close();
  }
}
