import { LruCache } from '../../base/lru-cache.ts';
import path from 'node:path';
import type { Clock } from '../../base/clock.ts';
import { toAppError } from '../../base/errors.ts';
import type { JsonObject } from '../../base/json.ts';
import type { ParamForm } from '../../model/param-form.ts';
import type { Workflow } from '../../model/workflow.ts';
import { listParamFields } from '../../spec/param-form.ts';
import { runWorkingDir } from '../values/files.ts';
import { readSchemaSource } from './param-schema.ts';
import { hasReference } from '../../spec/parse-template.ts';

interface FormContext {
  /** Absolute path of the workflow's file. */
  readonly file: string;
  readonly clock: Clock;
}

/**
 * Lists the parameters of a workflow for a form. If its schema cannot be read, the form has the workflow's own
 * parameters and the reason.
 */
export async function readParamForm(workflow: Workflow, context: FormContext): Promise<ParamForm> {
  const { params, paramSchema } = workflow;
  if (paramSchema === undefined) return { fields: listParamFields(params) };
  try {
    const schema =
      typeof paramSchema === 'string'
        ? await readReferenced(paramSchema, workflow, context)
        : (paramSchema as JsonObject);
    return { fields: listParamFields(params, schema) };
  } catch (error) {
    return { fields: listParamFields(params), problem: toAppError(error).message };
  }
}

function readReferenced(
  reference: string,
  { workingDir }: Workflow,
  { file, clock }: FormContext,
): Promise<JsonObject> {
  // A form is shown without running commands, so a directory with variables is not resolved.
  const written = workingDir === undefined || hasReference(workingDir) ? {} : { written: workingDir };
  const paths = {
    processDir: process.cwd(),
    workingDir: runWorkingDir({ ...written, file }),
    fileDir: path.dirname(file),
  };
  const read = (): Promise<JsonObject> => readSchemaSource(reference, paths, clock);
  return /^https?:/i.test(reference) ? cacheFetched(reference, clock.now(), read) : read();
}

/** Milliseconds for which a fetched schema, or the reason why there is none, is shown again. Runs always fetch it. */
const cacheMs = 60_000;
const maxCached = 50;
const fetched = new LruCache<string, { readonly until: number; readonly schema: Promise<JsonObject> }>(
  maxCached,
);

function cacheFetched(url: string, now: number, read: () => Promise<JsonObject>): Promise<JsonObject> {
  const known = fetched.get(url);
  if (known !== undefined && known.until > now) return known.schema;
  const schema = read();
  fetched.set(url, { until: now + cacheMs, schema });
  return schema;
}
