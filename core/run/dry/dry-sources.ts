import { isStepProperty } from '../../spec/expand.ts';
import type { Reference } from '../../spec/parse-template.ts';
import {
  SubstitutionError,
  type ValueSources,
  valueSources,
  type SystemContext,
} from '../values/resolve-values.ts';
import { type FindingList, findMentionedVariables, hasUnknown, markUnknown } from './findings.ts';

/** Input for resolving the values of a dry run. */
export interface DrySourceInput {
  readonly findings: FindingList;
  /** Ids of the workflow's steps. */
  readonly stepIds: ReadonlySet<string>;
  /** Whether to run commands in backticks. */
  readonly runSubstitutions: boolean;
  /** Names that get their value later, so that a missing value is not reported. */
  readonly expected?: ReadonlySet<string>;
}

/** All shells that run substitutions by default use this dialect. */
const plainDialect = { slices: false, ansiQuotes: true };

/**
 * Returns value sources as for a run. Values that only a run can know stay as written and are marked as unknown:
 * commands (unless they are run), properties of steps, and everything that depends on them.
 */
export function drySources(input: DrySourceInput, system: SystemContext, cwd: string): ValueSources {
  const { findings, stepIds, runSubstitutions, expected } = input;
  const systemSources = valueSources(system, cwd);
  return {
    system: systemSources.system,
    warn: (message) => findings.add('warning', message),
    async runCommand(command, variables, expand) {
      const placeholder = markUnknown(`\`${command.replaceAll('`', '\\`')}\``);
      if (!runSubstitutions || isUnknowable(command, variables)) return placeholder;
      try {
        return await systemSources.runCommand(command, withoutUnknown(variables), expand);
      } catch (error) {
        if (!(error instanceof SubstitutionError)) throw error;
        findings.addError(error);
        return placeholder;
      }
    },
    answer(reference, value) {
      const [first] = reference.path;
      const isProperty = first !== undefined && stepIds.has(reference.name) && isStepProperty(first.key);
      if (isProperty) return markUnknown(reference.source);
      if (value === undefined && expected?.has(reference.name) !== true) recordUnset(reference, findings);
      if (value === undefined || !hasUnknown(value)) return undefined;
      const isPlain = first === undefined && reference.modifier === undefined;
      return isPlain ? value : markUnknown(reference.source);
    },
  };
}

/** Whether a command depends on unknown values. It would then do something else than in a run. */
function isUnknowable(command: string, variables: Readonly<Record<string, string>>): boolean {
  const unknown = Object.keys(variables).filter((name) => hasUnknown(variables[name]!));
  return hasUnknown(command) || findMentionedVariables(command, unknown, plainDialect).length > 0;
}

const withoutUnknown = (variables: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(variables).filter(([, value]) => !hasUnknown(value)));

function recordUnset({ name, path, modifier, source }: Reference, findings: FindingList): void {
  if (path.length > 0 || modifier !== undefined) return;
  findings.add(
    'warning',
    `${source} is empty: ${name} is not set. Set it, or add a default: \${${name}:-…}.`,
  );
}
