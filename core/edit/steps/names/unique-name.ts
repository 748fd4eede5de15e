import type { OpenWorkflow } from '../open-workflow.ts';
import { textOfNode } from '../../outline/fields.ts';

/** Returns the names and ids that a new step cannot have; names take precedence over ids in lookups. */
export function takenNames({ names, drafts }: OpenWorkflow): Set<string> {
  const ids = drafts.flatMap(({ fields }) => textOfNode(fields.get('id')?.value) ?? []);
  return new Set([...names, ...ids]);
}

/** Returns the name, with a number if it is taken: `load`, `load_2`, `load_3`. */
export function uniqueName(wanted: string, usedNames: ReadonlySet<string>): string {
  if (!usedNames.has(wanted)) return wanted;
  const [, stem = wanted] = /^(.*[^_])_[0-9]{1,6}$/s.exec(wanted) ?? [];
  for (let number = 2; ; number += 1) {
    const name = `${stem}_${number}`;
    if (!usedNames.has(name)) return name;
  }
}
