import { AppError } from '../../base/errors.ts';

/** Parameters of a run to be, as they were typed. */
export interface WrittenParams {
  /** Arguments after `--`, one parameter each. */
  readonly words: readonly string[];
  /** One text with all parameters (`--params`). */
  readonly params?: string;
}

/** The parameters in the form in which they were given; nothing when there are none. Throws `bad_request` for both. */
export function givenParams({ words, params }: WrittenParams): string | readonly string[] | undefined {
  if (words.length === 0) return params;
  if (params === undefined) return words;
  throw new AppError(
    'bad_request',
    'Parameters were passed both with --params and after --. Use only one of them.',
  );
}
