import {
  type ConformanceCase,
  type DryOutcome,
  type Expectation,
  type ExpectedError,
  type ExpectedRun,
  type ExpectedStep,
  type ExpectedWarning,
  type Fragments,
  type Rerun,
  type RunOutcome,
  getFileName,
} from './cases.ts';
import type {
  AcceptedResult,
  CaseResult,
  DryResult,
  ResultPaths,
  Problem,
  RanResult,
  RefusedResult,
  RejectedResult,
  RunResult,
  StepResult,
} from './case-result.ts';

/** Whether `actual` equals the expected text, ignoring the last newline, or matches it after `re:`. */
function isText(actual: string, expected: string, paths: ResultPaths): boolean {
  if (expected.startsWith('re:')) return matches(trimLineEnd(actual), expected);
  return trimLineEnd(actual) === trimLineEnd(fillIn(expected, paths));
}

/** The expected fragments that `actual` neither contains nor matches. */
function missingFragments(actual: string, expected: Fragments, paths?: ResultPaths): string[] {
  return [expected].flat().filter((fragment) => {
    if (fragment.startsWith('re:')) return !matches(actual, fragment);
    return !actual.includes(paths === undefined ? fragment : fillIn(fragment, paths));
  });
}

/** Whether a JSON value is as expected; texts by {@link isText}, maps may be partial. */
function isValue(actual: unknown, expected: unknown, paths: ResultPaths): boolean {
  if (typeof expected === 'string') return typeof actual === 'string' && isText(actual, expected, paths);
  if (typeof expected !== 'object' || expected === null) return actual === expected;
  if (typeof actual !== 'object' || actual === null) return false;
  if (Array.isArray(expected) && (!Array.isArray(actual) || actual.length !== expected.length)) return false;
  return Object.entries(expected).every(([key, value]) =>
    isValue((actual as Record<string, unknown>)[key], value, paths),
  );
}

/** Replaces `<folder>`, `<home>`, `<user>` and `<runId>` with the paths of this run. */
const fillIn = (text: string, paths: ResultPaths): string =>
  text.replaceAll(/<(folder|home|user|runId)>/g, (_, placeholder: keyof ResultPaths) => paths[placeholder]);

const matches = (actual: string, expected: string): boolean => new RegExp(expected.slice(3)).test(actual);

const trimLineEnd = (text: string): string => text.replace(/\n$/, '');

/**
 * Where steps did not run in the expected order: everything of one entry ends before the next starts. The
 * members of a nested list may run in any order.
 */
function compareOrder(
  order: readonly (string | readonly string[])[],
  steps: readonly StepResult[],
): string[] {
  const byName = new Map(steps.map((step) => [step.name, step]));
  const missing = order.flat().filter((name) => !byName.get(name)?.startedAt);
  if (missing.length > 0) return [`order: ${missing.join(', ')} did not run`];
  const groups = order.map((names) => [names].flat().map((name) => byName.get(name)!));
  return groups
    .slice(1)
    .flatMap((later, index) =>
      groups[index]!.flatMap((before) =>
        later
          .filter((after) => before.finishedAt === null || before.finishedAt > after.startedAt!)
          .map((after) => `order: ${after.name} began before ${before.name} had ended`),
      ),
    );
}

/** Differences of a dry run from what was expected, including side effects. */
function compareDry(expected: DryOutcome, { view, exit, paths, newFiles }: DryResult): string[] {
  const differences: string[] = [];
  const differ = (what: string, was: unknown, expectedValue: unknown): void => {
    differences.push(`${what} was ${JSON.stringify(was)}, expected ${JSON.stringify(expectedValue)}`);
  };
  if (view.runnable !== expected.runnable) differ('runnable', view.runnable, expected.runnable);
  const wantedExit = expected.runnable ? 0 : 1;
  if (exit !== undefined && exit !== wantedExit) differ('exit code of engine dry', exit, wantedExit);
  for (const key of ['plans', 'findings'] as const) {
    if (expected[key] !== undefined && !isValue(view[key], expected[key], paths))
      differ(key, view[key], expected[key]);
  }
  const dryRunText = JSON.stringify(view);
  for (const text of expected.silentOf ?? [])
    if (dryRunText.includes(text)) differ('the answer', dryRunText, `no ${text}`);
  const leaves = expected.leaves ?? {};
  for (const [path, text] of Object.entries(newFiles))
    if (leaves[path] === undefined || !isText(text, leaves[path], paths)) differ(path, text, leaves[path]);
  for (const path of Object.keys(leaves)) if (newFiles[path] === undefined) differ(path, null, leaves[path]);
  return differences;
}

/**
 * Differences of a run and its sub-runs from what was expected.
 * @param at label of the run in the differences
 */
function compareRun(
  at: string,
  expected: ExpectedRun,
  actual: { readonly run: RunResult; readonly paths: ResultPaths },
): string[] {
  const { run, paths } = actual;
  const differences: string[] = [];
  const differ = (what: string, was: unknown, expectedValue: unknown): void => {
    differences.push(`${at}: ${what} was ${JSON.stringify(was)}, expected ${JSON.stringify(expectedValue)}`);
  };
  if (run.status !== expected.status)
    differ(`status (${run.error ?? 'no error'})`, run.status, expected.status);
  if (expected.name !== undefined && run.name !== expected.name) differ('name', run.name, expected.name);
  const params = expected.params?.map((parameter) => fillIn(parameter, paths));
  if (params !== undefined && !isSame(run.params, params)) differ('params', run.params, params);
  if (expected.outputs !== undefined && !haveValues(run.outputs, expected.outputs, paths))
    differ('outputs', run.outputs, expected.outputs);
  if (expected.error !== undefined && missingFragments(run.error ?? '', expected.error, paths).length > 0)
    differ('error', run.error, expected.error);
  if (expected.steps !== undefined)
    differences.push(...compareSteps(`${at} > step`, expected.steps, { steps: run.steps, paths }));
  if (expected.handlers !== undefined)
    differences.push(...compareSteps(`${at} > handler`, expected.handlers, { steps: run.handlers, paths }));
  return differences;
}

function compareSteps(
  at: string,
  expected: Readonly<Record<string, ExpectedStep>>,
  { steps, paths }: { readonly steps: readonly StepResult[]; readonly paths: ResultPaths },
): string[] {
  const names = steps.map(({ name }) => name);
  const expectedValue = Object.keys(expected);
  if (!isSame(names, expectedValue))
    return [`${at}s: ${JSON.stringify(names)}, expected ${JSON.stringify(expectedValue)}`];
  return steps.flatMap((step) => compareStep(`${at} ${step.name}`, expected[step.name]!, { step, paths }));
}

function compareStep(
  at: string,
  expected: ExpectedStep,
  { step, paths }: { readonly step: StepResult; readonly paths: ResultPaths },
): string[] {
  const expectedValue = typeof expected === 'string' ? { status: expected } : expected;
  const differences: string[] = [];
  for (const key of ['status', 'exitCode', 'signal', 'attempts'] as const) {
    if (expectedValue[key] !== undefined && step[key] !== expectedValue[key])
      differences.push(
        `${at}: ${key} ${step[key]}, expected ${expectedValue[key]} (${step.error ?? 'no error'})`,
      );
  }
  for (const key of ['stdout', 'stderr'] as const) {
    if (expectedValue[key] !== undefined && !isText(step[key], expectedValue[key], paths))
      differences.push(
        `${at}: ${key} ${JSON.stringify(step[key])}, expected ${JSON.stringify(expectedValue[key])}`,
      );
  }
  for (const fragment of missingFragments(step.error ?? '', expectedValue.error ?? [], paths))
    differences.push(`${at}: error ${JSON.stringify(step.error)} does not say ${JSON.stringify(fragment)}`);
  return [...differences, ...compareSubRuns(at, expectedValue.runs, { step, paths })];
}

function compareSubRuns(
  at: string,
  expected: readonly ExpectedRun[] | undefined,
  { step, paths }: { readonly step: StepResult; readonly paths: ResultPaths },
): string[] {
  if (expected === undefined) return [];
  if (expected.length !== step.runs.length)
    return [`${at}: it started ${step.runs.length} runs, expected ${expected.length}`];
  return step.runs.flatMap((run, index) =>
    compareRun(`${at} > run ${index}`, expected[index]!, { run, paths: { ...paths, runId: run.dagRunId } }),
  );
}

function haveValues(
  actual: RunResult['outputs'],
  expected: Record<string, unknown>,
  paths: ResultPaths,
): boolean {
  return isSame(Object.keys(actual).sort(), Object.keys(expected).sort()) && isValue(actual, expected, paths);
}

const isSame = (left: readonly string[], right: readonly string[]): boolean =>
  left.length === right.length && left.every((text, index) => text === right[index]);

/** Differences of a result from what its case expects, one line each; empty if it conforms. */
export function compare(
  item: Pick<ConformanceCase, 'expect' | 'as' | 'afterwards'>,
  result: CaseResult,
): string[] {
  return [
    ...compareKinds(item, result),
    ...findWrongFiles(getFileName(item), result),
    ...compareReruns(item.afterwards ?? [], result),
  ];
}

function compareReruns(reruns: readonly Rerun[], result: CaseResult): string[] {
  const results = result.kind === 'ran' ? (result.afterwards ?? []) : [];
  return reruns.flatMap((rerun, index) => {
    const came = results[index];
    if (came === undefined) return [`afterwards[${index}]: it was not done`];
    return compareKinds(rerun, came).map((difference) => `afterwards[${index}]: ${difference}`);
  });
}

function compareKinds({ expect }: Pick<ConformanceCase, 'expect'>, result: CaseResult): string[] {
  if ('status' in expect)
    return result.kind === 'ran' ? compareRan(expect, result) : wrongKind('a run', result);
  if ('rejected' in expect)
    return result.kind === 'rejected'
      ? compareRejected(expect, result)
      : wrongKind('a rejected file', result);
  if ('refused' in expect)
    return result.kind === 'refused' ? compareRefused(expect, result) : wrongKind('a refusal', result);
  if ('runnable' in expect)
    return result.kind === 'dry' ? compareDry(expect, result) : wrongKind('a dry run', result);
  return result.kind === 'accepted' ? compareAccepted(expect, result) : wrongKind('a sound file', result);
}

/** Every diagnostic names its file. */
function findWrongFiles(file: string, result: CaseResult): string[] {
  const listed = 'warnings' in result ? (result.warnings ?? []) : [];
  const problems = result.kind === 'rejected' ? [...result.validation, ...result.start, ...listed] : listed;
  return problems
    .filter((problem) => problem.file !== file)
    .map((problem) => `"${problem.message}" is said of the file "${problem.file}", expected "${file}"`);
}

const wrongKind = (expectedValue: string, result: CaseResult): string[] => [
  `expected ${expectedValue}, but it was ${result.kind}: ${JSON.stringify(result)}`,
];

function compareRan(expected: RunOutcome, result: RanResult): string[] {
  const { run, exit, warnings, files, paths } = result;
  const wantedExit = expected.exit ?? (expected.status === 'succeeded' ? 0 : 1);
  const differences = compareRun('run', expected, { run, paths });
  if (exit !== undefined && exit !== wantedExit)
    differences.push(`exit code of engine start: ${exit}, expected ${wantedExit}`);
  if (expected.order !== undefined)
    differences.push(...compareOrder(expected.order, [...run.steps, ...run.handlers]));
  for (const [path, text] of Object.entries(expected.leaves ?? {})) {
    const content = files[path];
    if (content === undefined || !isText(content, text, paths))
      differences.push(`file ${path}: ${JSON.stringify(content ?? null)}, expected ${JSON.stringify(text)}`);
  }
  for (const path of expected.absent ?? [])
    if (files[path] !== undefined) differences.push(`file ${path} is there and should not be`);
  return [
    ...differences,
    ...comparePlan(expected.plan, result.plan),
    ...compareWarnings(expected.warnings, warnings),
  ];
}

function comparePlan(expected: RunOutcome['plan'], plan: RanResult['plan']): string[] {
  if (expected === undefined) return [];
  const dryRunText = (plan?.steps ?? []).map(({ name, action, reason }) => ({
    name,
    text: `${action}: ${reason}`,
  }));
  const shown = dryRunText.map(({ name, text }) => `${name} ${text}`).join(', ');
  const names = dryRunText.map(({ name }) => name).join(', ');
  const expectedValue = Object.keys(expected).join(', ');
  if (names !== expectedValue) return [`plan: ${shown}; expected it for ${expectedValue}`];
  return dryRunText.flatMap(({ name, text }) =>
    missingFragments(text, expected[name]!).map((part) => `plan: ${name} ${text}, expected ${part}`),
  );
}

function compareRejected(
  expected: Extract<Expectation, { rejected: unknown }>,
  { validation, start, warnings }: RejectedResult,
): string[] {
  return [
    ...compareProblems('validate', expected.rejected, validation),
    ...compareProblems('start', expected.rejected, start),
    ...compareWarnings(expected.warnings, warnings),
  ];
}

function compareRefused(
  { refused }: Extract<Expectation, { refused: unknown }>,
  { code, message }: RefusedResult,
): string[] {
  const missing = missingFragments(message, refused.says).map(
    (fragment) => `refusal ${JSON.stringify(message)} does not say ${JSON.stringify(fragment)}`,
  );
  return code === refused.code ? missing : [`refused with ${code}, expected ${refused.code}`, ...missing];
}

const compareAccepted = (
  { warnings = [] }: Extract<Expectation, { accepted: unknown }>,
  result: AcceptedResult,
): string[] => compareWarnings(warnings, result.warnings);

const compareWarnings = (
  expected: readonly ExpectedWarning[] | undefined,
  actual: readonly Problem[] | undefined,
): string[] => (expected === undefined ? [] : compareProblems('warnings', expected, actual ?? []));

function compareProblems(
  source: string,
  expected: readonly (ExpectedError | ExpectedWarning)[],
  actual: readonly Problem[],
): string[] {
  const shown = actual.map(
    ({ file, line, column, field, message }) => `${file}:${line}:${column}: ${message} (${field})`,
  );
  if (expected.length !== actual.length)
    return [`${source}: ${actual.length} problems, expected ${expected.length}: ${shown.join(' | ')}`];
  return expected.flatMap((expectedValue, index) => {
    const { line, column, field, message } = actual[index]!;
    const fragments = [expectedValue.says, 'cure' in expectedValue ? expectedValue.cure : []].flat();
    const conforms =
      expectedValue.at === `${line}:${column}` &&
      expectedValue.field === field &&
      missingFragments(message, fragments).length === 0;
    return conforms ? [] : [`${source}: "${shown[index]}", expected ${JSON.stringify(expectedValue)}`];
  });
}
