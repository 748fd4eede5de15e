import type { OpenWorkflow } from '../open-workflow.ts';
import { textOfNode } from '../../outline/fields.ts';

/** Names and ids that a new step may not have: names come before ids where both are looked up. */
export function takenNames({ names, drafts }: OpenWorkflow): Set<string> {
  const ids = drafts.flatMap(({ fields }) => textOfNode(fields.get('id')?.value) ?? []);
  return new Set([...names, ...ids]);
}

/** The wanted name, or with the first number behind it that nobody has: `load`, `load_2`, `load_3`. */
export function makeUnique(wanted: string, taken: ReadonlySet<string>): string {
  if (!taken.has(wanted)) return wanted;
  const [, stem = wanted] = /^(.*[^_])_[0-9]{1,6}$/s.exec(wanted) ?? [];
  for (let number = 2; ; number += 1) {
    const name = `${stem}_${number}`;
    if (!taken.has(name)) return name;
  }
}
