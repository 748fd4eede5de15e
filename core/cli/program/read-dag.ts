import type { Command } from 'commander';
import { AppError } from '../../base/errors.ts';
import type { ProgramHooks } from './hooks.ts';

/**
 * The DAG of a command that takes parameters after `--`, which commander does not tell from the words before it.
 * Throws `bad_request` for a second word before `--`.
 * @param suspect what the person may have meant when the first word is no DAG and the second one no parameter
 */
export function readDag(
  command: Command,
  { words }: ProgramHooks,
  suspect: (first: string) => string | undefined = () => undefined,
): string | undefined {
  const [dag, surplus] = command.args.slice(0, command.args.length - words.length);
  if (dag === undefined || surplus === undefined) return dag;
  const meant = surplus.includes('=') ? undefined : suspect(dag);
  const hint = meant ?? `Put parameters after --, for example: engine ${command.name()} DAG -- NAME=value`;
  throw new AppError('bad_request', `Unexpected argument "${surplus}" after "${dag}".`, {
    details: { hint },
  });
}
