import { InvalidArgumentError } from 'commander';

/** `NAME=value` of `--env`. */
export interface Variable {
  readonly name: string;
  readonly value: string;
}

/** Collects `--env NAME=value`. The value is everything after the first `=`. */
export function collectVariables(text: string, before: readonly Variable[]): Variable[] {
  const match = /^([A-Za-z_][A-Za-z0-9_]*)=(.*)$/s.exec(text);
  if (match === null) throw new InvalidArgumentError('Expected NAME=value.');
  return [...before.filter(({ name }) => name !== match[1]), { name: match[1]!, value: match[2]! }];
}

/** Collects `--worker-label key=value`. */
export function collectLabels(
  text: string,
  before: Readonly<Record<string, string>>,
): Record<string, string> {
  const match = /^([^=\s]+)=(.+)$/s.exec(text);
  if (match === null) throw new InvalidArgumentError('Expected key=value.');
  return { ...before, [match[1]!]: match[2]! };
}

/** Collects `--dotenv FILE`, in order. */
export const collectFiles = (file: string, before: readonly string[]): string[] => [...before, file];
