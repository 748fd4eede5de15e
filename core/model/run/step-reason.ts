/**
 * Formats a step's name for the start of a reason, in quotes. Reasons are stored as sentences; to find the step, use
 * {@link readNamedStep} and never parse the rest, which may quote anything.
 */
export const quoteStepName = (name: string): string => `step "${name}"`;

/** Describes why a step does not start because of one of its dependencies. */
export const describeUpstream = (fate: 'skipped' | 'aborted' | 'failed', name: string): string =>
  `upstream ${fate}: ${quoteStepName(name)} ${fate === 'failed' ? 'failed' : `was ${fate}`}`;

const prefixes = ['', 'upstream skipped: ', 'upstream aborted: ', 'upstream failed: '] as const;

/**
 * Finds the step that the engine names in a reason, and the position of its name; undefined when it names none.
 * @param names of the steps to look for
 */
export function readNamedStep(
  reason: string,
  names: readonly string[],
): { readonly name: string; readonly from: number; readonly until: number } | undefined {
  const namePrefix = 'step "';
  const head = prefixes.find((prefix) => reason.startsWith(`${prefix}${namePrefix}`));
  if (head === undefined) return undefined;
  const from = head.length + namePrefix.length;
  // A name may start with another one and a quote.
  const matched = names
    .filter((name) => reason.startsWith(name, from) && reason.startsWith('" ', from + name.length))
    .reduce<string | undefined>(
      (best, name) => (best === undefined || name.length > best.length ? name : best),
      undefined,
    );
  return matched === undefined ? undefined : { name: matched, from, until: from + matched.length };
}
