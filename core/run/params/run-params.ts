import path from 'node:path';
import type { JsonObject } from '../../base/json.ts';
import { AppError } from '../../base/errors.ts';
import type { Clock } from '../../base/clock.ts';
import { isWebhookParam } from '../../model/workflow/webhook-params.ts';
import type { Parameter, Workflow } from '../../model/workflow/workflow.ts';
import { findParamExcess } from '../../spec/params.ts';
import { Masker } from '../../secrets/masker.ts';
import { findSecretValues } from '../../secrets/resolve-secrets.ts';
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
 * Rejects with `bad_request` for a value that cannot be had or is not allowed, and for more than a run may have; with
 * `invalid_spec` for a schema that is missing or none.
 */
export async function resolveRunParams(workflow: Workflow, facts: ParamFacts): Promise<Parameter[]> {
  refuseExcess(facts.given);
  const resolved = await resolveAndCheck(workflow, facts);
  refuseExcess(resolved);
  return resolved;
}

function refuseExcess(params: readonly Parameter[]): void {
  const excess = findParamExcess(params);
  if (excess !== undefined) throw new AppError('bad_request', excess);
}

async function resolveAndCheck(workflow: Workflow, facts: ParamFacts): Promise<Parameter[]> {
  const sources = valueSources(facts.system, fileDirOf(facts.file));
  try {
    const schema = await openParamSchema(workflow, facts, sources);
    if (schema === undefined) return await resolveParams(workflow, facts.given, sources);
    // Those that the engine gives are none of the schema's business.
    const given = facts.given.filter(({ name }) => !isWebhookParam(name));
    const own = facts.given.filter(({ name }) => isWebhookParam(name));
    const checked = await schema.apply(await resolveParams(workflow, schema.nameByPlace(given), sources));
    return [...checked, ...own];
  } catch (thrown) {
    if (!(thrown instanceof SubstitutionError)) throw thrown;
    const reason = (await openMasker(workflow, facts)).mask(thrown.message);
    throw new AppError('bad_request', `Cannot resolve the parameters. ${reason}`);
  }
}

/** Hides what is known of the workflow's secrets, which are looked up by the run only. */
async function openMasker(
  { secrets = [] }: Workflow,
  { system, file, defaultWorkingDir }: ParamFacts,
): Promise<Masker> {
  const workingDir = runWorkingDir({ fallback: defaultWorkingDir, file });
  const { environment: variables, keychain } = system;
  const places = { variables, workingDir, fileDir: fileDirOf(file), keychain };
  return new Masker(await findSecretValues(secrets, places));
}

/** The schema of a workflow's parameters, when it has one. Rejects with `invalid_spec` when it is missing or none. */
export async function openParamSchema(
  workflow: Workflow,
  facts: Pick<ParamFacts, 'clock' | 'file' | 'defaultWorkingDir'>,
  sources: ValueSources,
): Promise<ParamSchema | undefined> {
  if (workflow.paramSchema === undefined) return undefined;
  const workingDir = await findWorkingDir(workflow, facts, sources);
  const places = { processDir: process.cwd(), workingDir, fileDir: fileDirOf(facts.file) };
  // Read from YAML, so that there is nothing in it that JSON cannot say.
  const schema = workflow.paramSchema as string | JsonObject;
  return ParamSchema.open({ schema, places, clock: facts.clock });
}

const fileDirOf = (file: string | undefined): string =>
  file === undefined ? process.cwd() : path.dirname(file);

/** Without parameters, which are not known yet. */
async function findWorkingDir(
  { workingDir, env }: Workflow,
  { file, defaultWorkingDir }: Pick<ParamFacts, 'file' | 'defaultWorkingDir'>,
  sources: ValueSources,
): Promise<string> {
  if (workingDir === undefined) return runWorkingDir({ fallback: defaultWorkingDir, file });
  const variables = /[$`]/.test(workingDir) ? await resolveEnv(env, {}, sources) : {};
  return runWorkingDir({ written: await expandValue(workingDir, variables, sources), file });
}
