import path from 'node:path';
import { AppError } from '../../base/errors.ts';
import type { Clock } from '../../base/clock.ts';
import type { Parameter, Workflow } from '../../model/workflow.ts';
import { ParamSchema } from './param-schema.ts';
import {
  expandValue,
  resolveEnv,
  resolveParams,
  SubstitutionError,
  type ValueSources,
} from '../values/resolve-values.ts';
import { valueSources, type SystemFacts } from '../values/value-sources.ts';
import { runWorkingDir } from '../values/working-dir.ts';

/** Where a new run's parameters come from besides its workflow. */
export interface ParamFacts {
  readonly given: readonly Parameter[];
  readonly system: SystemFacts;
  readonly clock: Clock;
  /** Absolute path of the workflow's file, when there is one. */
  readonly file: string | undefined;
  readonly defaultWorkingDir: string | undefined;
}

/**
 * The parameters of a new run: what the caller gives, over the workflow's own, filled in and checked by its schema.
 * Rejects with `bad_request` for a value that cannot be had or is not allowed, with `invalid_spec` for a schema
 * that is missing or none.
 */
export async function resolveRunParams(workflow: Workflow, facts: ParamFacts): Promise<Parameter[]> {
  const { given, system, clock, file } = facts;
  const fileDir = file === undefined ? process.cwd() : path.dirname(file);
  const sources = valueSources(system, fileDir);
  try {
    if (workflow.paramSchema === undefined) return await resolveParams(workflow, given, sources);
    const workingDir = await findWorkingDir(workflow, facts, sources);
    const places = { processDir: process.cwd(), workingDir, fileDir };
    const schema = await ParamSchema.open({ schema: workflow.paramSchema, places, clock });
    return schema.apply(await resolveParams(workflow, schema.nameByPlace(given), sources));
  } catch (thrown) {
    if (!(thrown instanceof SubstitutionError)) throw thrown;
    throw new AppError('bad_request', `The parameters cannot be resolved. ${thrown.message}`);
  }
}

/** Without parameters, which are not known yet. */
async function findWorkingDir(
  { workingDir, env }: Workflow,
  { file, defaultWorkingDir }: ParamFacts,
  sources: ValueSources,
): Promise<string> {
  if (workingDir === undefined) return runWorkingDir({ fallback: defaultWorkingDir, file });
  const variables = /[$`]/.test(workingDir) ? await resolveEnv(env, {}, sources) : {};
  return runWorkingDir({ written: await expandValue(workingDir, variables, sources), file });
}
