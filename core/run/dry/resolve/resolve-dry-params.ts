import path from 'node:path';
import { AppError } from '../../../base/errors.ts';
import type { Parameter } from '../../../model/workflow/workflow.ts';
import { openParamSchema } from '../../params/run-params.ts';
import { resolveParams, type ValueSources } from '../../values/resolve-values.ts';
import { drySources } from '../dry-sources.ts';
import type { DryDeps, DryTask } from '../dry-task.ts';
import { hasUnknown } from '../unknown-text.ts';

/** Resolves the parameters that a run would have. Errors become findings; the parameters then stay unchanged. */
export function resolveDryParams(task: DryTask, deps: DryDeps): Promise<readonly Parameter[]> {
  const { source, workflow, inherited } = task;
  const { findings, runSubstitutions } = deps;
  const system = {
    environment: { ...deps.environment, ...inherited?.variables },
    passed: deps.passed,
    warn: (message: string) => findings.add('warning', message),
  };
  const fileDir = source.file === undefined ? process.cwd() : path.dirname(source.file);
  // Includes a first pass over `env`, which happens before the parameters are known.
  const expected = new Set([...workflow.params, ...workflow.env].map(({ name }) => name));
  const context = { findings, runSubstitutions, stepIds: new Set<string>(), expected };
  const sources = drySources(context, system, fileDir);
  return findings.at({ field: 'params' }, async () => {
    const resolved = await applySchema(task, deps, sources);
    return resolved ?? resolveParams(workflow, task.explicitParams, sources);
  });
}

/** Returns undefined when there is no schema, or only an invalid one. */
async function applySchema(
  { source, workflow, explicitParams, defaultWorkingDir }: DryTask,
  { findings, clock }: DryDeps,
  sources: ValueSources,
): Promise<readonly Parameter[] | undefined> {
  let params: readonly Parameter[] | undefined;
  try {
    const context = { clock, file: source.file, defaultWorkingDir };
    const schema = await openParamSchema(workflow, context, sources);
    if (schema === undefined) return undefined;
    params = await resolveParams(workflow, schema.nameByPosition(explicitParams), sources);
    const unknown = params.filter(({ value }) => hasUnknown(value)).map(({ name }) => name);
    if (unknown.length === 0) return await schema.apply(params);
    findings.add(
      'info',
      `The schema is checked when the run starts, because these values are not known before: ${unknown.join(', ')}.`,
    );
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    findings.addError(error);
  }
  return params;
}
