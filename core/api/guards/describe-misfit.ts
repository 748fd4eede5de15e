import { clip } from '../../base/text/clip.ts';
import { dagNamePattern, fileNamePattern, runIdPattern } from '../../base/ids.ts';

/** What the schema has found wrong with a value. */
interface Misfit {
  readonly keyword: string;
  readonly params: object;
  readonly message: string;
}

/** What a text of each pattern may hold, in the words that the command line has for it. */
const patternWords: Readonly<Record<string, string>> = {
  [dagNamePattern]: 'use 1 to 40 letters, digits, "_", "." and "-"',
  [runIdPattern]: 'use 1 to 64 letters, digits, "-" and "_"',
  [fileNamePattern]: 'use 1 to 80 letters, digits, "_", "." and "-", without a folder and without ".yaml"',
};

/** Says what is wrong with one field of an input and what to send instead, where the words of the schema do not. */
export function describeMisfit({ keyword, params, message }: Misfit, value: unknown): string {
  const { pattern = '', allowedValues = [] } = params as { pattern?: string; allowedValues?: unknown[] };
  if (keyword === 'enum') return `must be one of ${allowedValues.join(', ')} (it is ${show(value)})`;
  const words = keyword === 'pattern' ? patternWords[pattern] : undefined;
  return words === undefined ? message : `${words} (it is ${show(value)})`;
}

const show = (value: unknown): string => clip(JSON.stringify(value), 80);
