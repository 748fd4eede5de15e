import path from 'node:path';
import type { JsonObject } from '../../base/json.ts';
import { AppError } from '../../base/errors.ts';
import type { Clock } from '../../base/clock.ts';
import { isWebhookParam } from '../../model/webhook.ts';
import type { Parameter, Workflow } from '../../model/workflow.ts';
import { findParamLimitProblem, findUnknownParams } from '../../spec/params.ts';
import { Masker } from '../../process/secrets/masker.ts';
import { findSecretValues } from '../../process/secrets/resolve-secrets.ts';
import { ParamSchema } from './param-schema.ts';
import {
  expandValue,
  resolveEnv,
  resolveParams,
  SubstitutionError,
  type ValueSources,
  valueSources,
  type SystemContext,
} from '../values/resolve-values.ts';
import { runWorkingDir } from '../values/files.ts';
import { hasReference } from '../../spec/parse-template.ts';

/** Where a new run's parameters come from in addition to its workflow. */
export interface ParamSources {
  readonly explicitParams: readonly Parameter[];
  readonly system: SystemContext;
  readonly clock: Clock;
  /** Absolute path of the workflow's file, when there is one. */
  readonly file: string | undefined;
  readonly defaultWorkingDir: string | undefined;
}

/**
 * Resolves the parameters of a new run: the caller's parameters over the workflow's own, filled in and validated by its
 * schema.
 * @throws `bad_request` for a value that cannot be resolved or is not allowed, and for too many parameters;
 * `invalid_spec` for a missing or invalid schema
 */
export async function resolveRunParams(workflow: Workflow, input: ParamSources): Promise<Parameter[]> {
  assertParamSize(input.explicitParams);
  for (const message of findUnknownParams(workflow, input.explicitParams))
    input.system.warn(`${workflow.name}: ${message}`);
  const resolved = await resolveAndCheck(workflow, input);
  assertParamSize(resolved);
  return resolved;
}

function assertParamSize(params: readonly Parameter[]): void {
  const excessError = findParamLimitProblem(params);
  if (excessError !== undefined) throw new AppError('bad_request', excessError);
}

async function resolveAndCheck(workflow: Workflow, input: ParamSources): Promise<Parameter[]> {
  const sources = valueSources(input.system, getFileDir(input.file));
  try {
    const schema = await openParamSchema(workflow, input, sources);
    if (schema === undefined) return await resolveParams(workflow, input.explicitParams, sources);
    // Parameters that the engine adds are not validated by the schema.
    const explicitParams = input.explicitParams.filter(({ name }) => !isWebhookParam(name));
    const webhookParams = input.explicitParams.filter(({ name }) => isWebhookParam(name));
    const checked = await schema.apply(
      await resolveParams(workflow, schema.nameByPosition(explicitParams), sources),
    );
    return [...checked, ...webhookParams];
  } catch (error) {
    if (!(error instanceof SubstitutionError)) throw error;
    const reason = (await openMasker(workflow, input)).mask(error.message);
    throw new AppError('bad_request', `Cannot resolve the parameters. ${reason}`);
  }
}

/** Masks the workflow's secrets that are already known; only the run looks up the others. */
async function openMasker(
  { secrets = [] }: Workflow,
  { system, file, defaultWorkingDir }: ParamSources,
): Promise<Masker> {
  const workingDir = runWorkingDir({ fallback: defaultWorkingDir, file });
  const { environment: variables, secretSources } = system;
  const paths = { variables, workingDir, fileDir: getFileDir(file), ...secretSources };
  return new Masker(await findSecretValues(secrets, paths));
}

/**
 * Opens the schema of a workflow's parameters, if it has one.
 * @throws `invalid_spec` when it is missing or invalid
 */
export async function openParamSchema(
  workflow: Workflow,
  input: Pick<ParamSources, 'clock' | 'file' | 'defaultWorkingDir'>,
  sources: ValueSources,
): Promise<ParamSchema | undefined> {
  if (workflow.paramSchema === undefined) return undefined;
  const workingDir = await findWorkingDir(workflow, input, sources);
  const paths = { processDir: process.cwd(), workingDir, fileDir: getFileDir(input.file) };
  // The schema was read from YAML, so it only contains JSON values.
  const schema = workflow.paramSchema as string | JsonObject;
  return ParamSchema.open({ schema, paths, clock: input.clock });
}

const getFileDir = (file: string | undefined): string =>
  file === undefined ? process.cwd() : path.dirname(file);

/** Resolves the working directory without the parameters, which are not known yet. */
async function findWorkingDir(
  { workingDir, env }: Workflow,
  { file, defaultWorkingDir }: Pick<ParamSources, 'file' | 'defaultWorkingDir'>,
  sources: ValueSources,
): Promise<string> {
  if (workingDir === undefined) return runWorkingDir({ fallback: defaultWorkingDir, file });
  const variables = hasReference(workingDir) ? await resolveEnv(env, {}, sources) : {};
  return runWorkingDir({ written: await expandValue(workingDir, variables, sources), file });
}
