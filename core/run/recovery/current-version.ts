import path from 'node:path';
import { getErrorMessage, AppError } from '../../base/errors.ts';
import { isEqual, type JsonObject } from '../../base/json.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { ParamField } from '../../model/param-form.ts';
import type { RunDetail, StepRecord } from '../../model/run.ts';
import type { Parameter, Workflow } from '../../model/workflow.ts';
import { mask } from '../../process/secrets/mask-scanner.ts';
import { formatDiagnostic } from '../../spec/format-diagnostic.ts';
import { listParamFields } from '../../spec/param-form.ts';
import { selectSteps } from '../../spec/plan/graph.ts';
import { compareSteps, type StepChanges } from '../../spec/plan/resume.ts';
import type { RunStore } from '../../store/types/runs.ts';
import type { LoadedFile, RunService } from '../run-service.ts';
import { findSubWorkflow, type WorkflowFinder } from '../sub-runs.ts';
import { resolveParams, valueSources, type SystemContext } from '../values/resolve-values.ts';
import { loadStored, type StoredSource } from './previous-run.ts';

/** Whether the file of a run still has the text that the run executed. */
export const fileStates = ['unchanged', 'changed', 'invalid', 'missing'] as const;
export type FileState = (typeof fileStates)[number];

/** The file of a run as it is now. */
export interface CurrentFile {
  /** Absent for a run whose text came from no file. */
  readonly state?: FileState;
  /** Why the file cannot be used, with the line. */
  readonly problem?: string;
  readonly diagnostics?: Diagnostic[];
  /** Set unless the file is invalid or missing. */
  readonly version?: StoredSource;
}

/** Reads the file of a run. Never rejects because of the file. */
export async function readCurrentFile(
  finder: WorkflowFinder,
  { run, spec }: RunDetail,
  stored: StoredSource,
): Promise<CurrentFile> {
  const { file } = spec;
  if (file === undefined) return {};
  let source: LoadedFile;
  try {
    source = await finder.read(file);
  } catch (error) {
    return { state: 'missing', problem: getErrorMessage(error) };
  }
  const diagnostics = source.diagnostics.filter(({ severity }) => severity === 'error');
  if (diagnostics[0] !== undefined)
    return { state: 'invalid', problem: formatDiagnostic(diagnostics[0]), diagnostics };
  const named = source.workflows.findIndex(({ name }) => name === stored.workflow.name);
  const document = named < 0 ? spec.document : named;
  const whole = source.workflows[document];
  if (whole === undefined)
    return { state: 'invalid', problem: `${file} no longer has the workflow "${stored.workflow.name}".` };
  const names = new Set(whole.steps.map(({ name }) => name));
  const workflow = run.onlySteps
    ? selectSteps(
        whole,
        run.onlySteps.filter((name) => names.has(name)),
      )
    : whole;
  const isSame = source.text === spec.text && (source.baseText ?? '') === (spec.base ?? '');
  return { state: isSame ? 'unchanged' : 'changed', version: { source, document, workflow } };
}

/**
 * Returns the file's version.
 * @throws `invalid_spec` when it has errors, `not_found` when it is missing, `bad_request` when the run has no file
 */
export function requireVersion(
  { state, problem, version, diagnostics }: CurrentFile,
  { run }: RunDetail,
): StoredSource {
  if (version !== undefined) return version;
  const name = `Run ${run.dagRunId} of ${run.name}`;
  if (state === undefined)
    throw new AppError('bad_request', `${name} was not started from a file. Retry it with its own text.`);
  throw new AppError(
    state === 'invalid' ? 'invalid_spec' : 'not_found',
    `The current file cannot be used: ${problem}. Fix it, or retry the run with its own text.`,
    diagnostics && { details: { diagnostics } },
  );
}

/** A run, and the version of its workflow that it resumes with. */
export interface ResumeInput {
  readonly detail: RunDetail;
  readonly before: StoredSource;
  readonly now: StoredSource;
  /** Parameters of the resumed run. */
  readonly params: readonly Parameter[];
}

/**
 * Returns the parameters of a resumed run: values that were explicit stay, defaults are those of the current file,
 * outputs of another run stay in a partial run, and parameters that the file no longer has are left out. A value counts
 * as explicit when it differs from the value of the old default. A default that runs a command keeps its value while
 * its text stays.
 * @throws `bad_request` for a value that the current file does not allow
 */
export async function resumeParams(
  {
    service,
    system,
  }: { readonly service: Pick<RunService, 'resolveParams'>; readonly system: SystemContext },
  { detail: { run }, before, now }: Omit<ResumeInput, 'params'>,
): Promise<readonly Parameter[]> {
  const declared = readDeclared(before.workflow);
  const current = readDeclared(now.workflow);
  const explicit: Parameter[] = [];
  const outputs: Parameter[] = [];
  for (const param of run.params) {
    const field = declared.get(param.name);
    const isRemoved = field !== undefined && !current.has(param.name) && !usesSchemaFile(now.workflow);
    const isDefault = field?.default !== undefined && (await hasDefault(param, field.default));
    if (field === undefined && !current.has(param.name) && isOutputOfOtherStep(param)) outputs.push(param);
    else if (!isRemoved && !isDefault) explicit.push(param);
  }
  const { source, document } = now;
  const { defaultWorkingDir, trigger } = run;
  const options = { source, document, trigger, params: explicit, defaultWorkingDir };
  return [...(await service.resolveParams(options)), ...outputs];

  /** Whether a parameter is the output of a step that a partial run left out: see `readPartialRun`. */
  function isOutputOfOtherStep({ name }: Parameter): boolean {
    const { steps } = before.source.workflows[before.document]!;
    return run.onlySteps !== undefined && steps.some(({ output }) => output === name);
  }

  async function hasDefault({ name, value }: Parameter, written: string): Promise<boolean> {
    if (!/[$`~]/.test(written)) return value === written;
    if (written.includes('`')) return false;
    const { params, env } = before.workflow;
    const others = run.params.filter((other) => other.name !== name);
    const sources = valueSources(system, path.dirname(before.source.file ?? process.cwd()));
    const resolved = await resolveParams({ params, env }, others, sources);
    return resolved.some((other) => other.name === name && other.value === value);
  }
}

/** Returns the parameters that a workflow declares, without those of a schema file. */
const readDeclared = (workflow: Workflow): ReadonlyMap<string, ParamField> => {
  const { params, paramSchema } = workflow;
  const schema = usesSchemaFile(workflow) ? {} : (paramSchema as JsonObject);
  return new Map(listParamFields(params, schema).map((field) => [field.name, field]));
};

const usesSchemaFile = ({ paramSchema }: Workflow): boolean => typeof paramSchema === 'string';

/** Returns how the steps of the current file differ from those of the run. */
export async function findChanges(
  stores: { readonly store: Pick<RunStore, 'getDetail'>; readonly finder: WorkflowFinder },
  { detail, before, now, params }: ResumeInput,
): Promise<StepChanges> {
  const subWorkflows = await findChangedSubWorkflows(stores, detail, now);
  return compareSteps(
    { workflow: before.workflow, params: detail.run.params },
    { workflow: now.workflow, params },
    subWorkflows,
  );
}

/** Returns the names of the steps that have run a workflow that has changed since, or one of whose own has. */
async function findChangedSubWorkflows(
  stores: Parameters<typeof findChanges>[0],
  { steps: records }: RunDetail,
  { source, workflow }: StoredSource,
): Promise<Set<string>> {
  const { store, finder } = stores;
  const changed = new Set<string>();
  const known = new Map(records.map((record) => [record.node.name, record]));
  for (const { name, action } of workflow.steps) {
    const child = action.kind === 'dag' ? known.get(name)?.subRuns.at(-1) : undefined;
    const detail = child && (await store.getDetail(child));
    if (action.kind !== 'dag' || detail === undefined) continue;
    try {
      const match = await findSubWorkflow(finder, source, action.dag);
      const old = await loadStored(detail);
      const current = match.source.workflows[match.document];
      const isSame =
        current !== undefined &&
        isSameWork(old.workflow, current) &&
        (await findChangedSubWorkflows(stores, detail, { ...match, workflow: current })).size === 0;
      if (!isSame) changed.add(name);
    } catch {
      // It cannot be loaded any more, or its name is an expression: run it again.
      changed.add(name);
    }
  }
  return changed;
}

/** Whether two versions of a workflow do the same, apart from the positions of their steps in the text. */
const isSameWork = (a: Workflow, b: Workflow): boolean => isEqual(withoutPositions(a), withoutPositions(b));

const withoutPositions = ({ steps, handlers: _handlers, ...rest }: Workflow): object => ({
  ...rest,
  steps: steps.map(({ at: _at, ...step }) => step),
});

/** Names of the steps whose stored output lacks a secret. */
export const listMasked = (records: readonly StepRecord[]): ReadonlySet<string> =>
  new Set(
    records
      .filter(({ node, output }) => node.section === 'step' && JSON.stringify(output ?? '').includes(mask))
      .map(({ node }) => node.name),
  );
