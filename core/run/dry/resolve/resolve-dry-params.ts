import path from 'node:path';
import { AppError } from '../../../base/errors.ts';
import type { Parameter } from '../../../model/workflow/workflow.ts';
import { openParamSchema } from '../../params/run-params.ts';
import { resolveParams, type ValueSources } from '../../values/resolve-values.ts';
import { drySources } from '../dry-sources.ts';
import type { DryParts, DryTask } from '../dry-task.ts';
import { hasUnknown } from '../unknown-text.ts';

/** The parameters a run would have. What is wrong with them is a finding; they then stay as they are. */
export function resolveDryParams(task: DryTask, parts: DryParts): Promise<readonly Parameter[]> {
  const { source, workflow, inherited } = task;
  const { findings, runSubstitutions } = parts;
  const system = {
    environment: { ...parts.environment, ...inherited?.variables },
    passed: parts.passed,
    warn: (message: string) => findings.add('warning', message),
  };
  const fileDir = source.file === undefined ? process.cwd() : path.dirname(source.file);
  // A first look at `env` is part of it, which is taken before the parameters are known.
  const expected = new Set([...workflow.params, ...workflow.env].map(({ name }) => name));
  const facts = { findings, runSubstitutions, stepIds: new Set<string>(), expected };
  const sources = drySources(facts, system, fileDir);
  return findings.at({ field: 'params' }, async () => {
    const resolved = await applySchema(task, parts, sources);
    return resolved ?? resolveParams(workflow, task.given, sources);
  });
}

/** Undefined when there is no schema, or none that can be used. */
async function applySchema(
  { source, workflow, given, defaultWorkingDir }: DryTask,
  { findings, clock }: DryParts,
  sources: ValueSources,
): Promise<readonly Parameter[] | undefined> {
  let params: readonly Parameter[] | undefined;
  try {
    const facts = { clock, file: source.file, defaultWorkingDir };
    const schema = await openParamSchema(workflow, facts, sources);
    if (schema === undefined) return undefined;
    params = await resolveParams(workflow, schema.nameByPlace(given), sources);
    const unknown = params.filter(({ value }) => hasUnknown(value)).map(({ name }) => name);
    if (unknown.length === 0) return await schema.apply(params);
    findings.add(
      'info',
      `The schema is checked when the run starts, because these values are not known before: ${unknown.join(', ')}.`,
    );
  } catch (thrown) {
    if (!(thrown instanceof AppError)) throw thrown;
    findings.fault(thrown);
  }
  return params;
}
