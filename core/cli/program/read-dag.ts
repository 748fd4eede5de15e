import type { Command } from 'commander';
import { AppError } from '../../base/errors.ts';
import type { ProgramHooks } from './hooks.ts';

/**
 * Returns the DAG of a command with parameters after `--`, which commander does not distinguish from the words before
 * it. Throws `bad_request` for a second word before `--`.
 * @param suspect returns a suggestion if the first word is not a DAG and the second not a parameter
 */
export function readDag(
  command: Command,
  { words: args }: ProgramHooks,
  suspect: (first: string) => string | undefined = () => undefined,
): string | undefined {
  const [dag, surplus] = command.args.slice(0, command.args.length - args.length);
  if (dag === undefined || surplus === undefined) return dag;
  const meant = surplus.includes('=') ? undefined : suspect(dag);
  const hint = meant ?? `Put parameters after --, for example: engine ${command.name()} DAG -- NAME=value`;
  throw new AppError('bad_request', `Unexpected argument "${surplus}" after "${dag}".`, {
    details: { hint },
  });
}
