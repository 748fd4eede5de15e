import { isStepProperty } from '../../spec/expand/expand.ts';
import type { Reference } from '../../spec/expand/segment.ts';
import { SubstitutionError, type ValueSources } from '../values/resolve-values.ts';
import { valueSources, type SystemFacts } from '../values/value-sources.ts';
import type { FindingList } from './finding-list.ts';
import { findMentioned } from './mentioned-variables.ts';
import { hasUnknown, markUnknown } from './unknown-text.ts';

/** What values of a dry run come from. */
export interface DrySourceFacts {
  readonly findings: FindingList;
  /** Ids of the workflow's steps. */
  readonly stepIds: ReadonlySet<string>;
  /** Whether commands in backticks are run. */
  readonly runSubstitutions: boolean;
  /** Names whose absence is not worth a word, since they get their value later. */
  readonly expected?: ReadonlySet<string>;
}

/** Every shell that runs substitutions without a choice reads them so. */
const plainDialect = { slices: false, ansiQuotes: true };

/**
 * Values as for a run, but what only a run can tell stays as written and is marked: commands (unless they are to be
 * run), properties of steps, and whatever depends on such a value.
 */
export function drySources(facts: DrySourceFacts, system: SystemFacts, cwd: string): ValueSources {
  const { findings, stepIds, runSubstitutions, expected } = facts;
  const real = valueSources(system, cwd);
  return {
    system: real.system,
    warn: (message) => findings.add('warning', message),
    async runCommand(command, variables, expand) {
      const written = markUnknown(`\`${command.replaceAll('`', '\\`')}\``);
      if (!runSubstitutions || isUnknowable(command, variables)) return written;
      try {
        return await real.runCommand(command, withoutUnknown(variables), expand);
      } catch (thrown) {
        if (!(thrown instanceof SubstitutionError)) throw thrown;
        findings.fault(thrown);
        return written;
      }
    },
    answer(reference, value) {
      const [first] = reference.path;
      const isProperty = first !== undefined && stepIds.has(reference.name) && isStepProperty(first.key);
      if (isProperty) return markUnknown(reference.source);
      if (value === undefined && expected?.has(reference.name) !== true) noteUnset(reference, findings);
      if (value === undefined || !hasUnknown(value)) return undefined;
      const isPlain = first === undefined && reference.modifier === undefined;
      return isPlain ? value : markUnknown(reference.source);
    },
  };
}

/** A command whose values are not all there would do something else than in a run. */
function isUnknowable(command: string, variables: Readonly<Record<string, string>>): boolean {
  const unknown = Object.keys(variables).filter((name) => hasUnknown(variables[name]!));
  return hasUnknown(command) || findMentioned(command, unknown, plainDialect).length > 0;
}

const withoutUnknown = (variables: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(variables).filter(([, value]) => !hasUnknown(value)));

function noteUnset({ name, path, modifier, source }: Reference, findings: FindingList): void {
  if (path.length > 0 || modifier !== undefined) return;
  findings.add(
    'warning',
    `${source} is empty: ${name} is not set. Set it, or add a default: \${${name}:-…}.`,
  );
}
