/**
 * How the engine names a step in a reason: at its head, in quotes. Reasons are kept as sentences; whoever wants the
 * step itself asks {@link readNamedStep}, never the rest of the sentence, which may quote anything.
 */
export const nameStep = (name: string): string => `step "${name}"`;

/** Of a step that does not begin because of one that it depends on. */
export const describeUpstream = (fate: 'skipped' | 'aborted' | 'failed', name: string): string =>
  `upstream ${fate}: ${nameStep(name)} ${fate === 'failed' ? 'failed' : `was ${fate}`}`;

const heads = ['', 'upstream skipped: ', 'upstream aborted: ', 'upstream failed: '] as const;

/**
 * The step that the engine names in a reason, and where its name stands; undefined when it names none.
 * @param names those of the steps that it may be
 */
export function readNamedStep(
  reason: string,
  names: readonly string[],
): { readonly name: string; readonly from: number; readonly until: number } | undefined {
  const opening = 'step "';
  const head = heads.find((one) => reason.startsWith(`${one}${opening}`));
  if (head === undefined) return undefined;
  const from = head.length + opening.length;
  // A name may begin with another one and a quote.
  const found = names
    .filter((name) => reason.startsWith(name, from) && reason.startsWith('" ', from + name.length))
    .reduce<string | undefined>(
      (best, name) => (best === undefined || name.length > best.length ? name : best),
      undefined,
    );
  return found === undefined ? undefined : { name: found, from, until: from + found.length };
}
