import { AppError } from '../../base/errors.ts';

/** Parameters of a new run, as typed. */
export interface CliParams {
  /** Arguments after `--`, one parameter each. */
  readonly words: readonly string[];
  /** A string with all parameters (`--params`). */
  readonly params?: string;
}

/**
 * Returns the parameters in the specified form; undefined if there are none. Throws `bad_request` if both are used.
 */
export function readCliParams({ words: args, params }: CliParams): string | readonly string[] | undefined {
  if (args.length === 0) return params;
  if (params === undefined) return args;
  throw new AppError(
    'bad_request',
    'Parameters were passed both with --params and after --. Use only one of them.',
  );
}
