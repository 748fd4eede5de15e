import type { Places, RunResult, StepResult } from './case-result.ts';
import type { ExpectedRun, ExpectedStep } from './expectation-format.ts';
import { fillIn, isText, isValue, missingFragments } from './match-text.ts';

/**
 * In what a run differs from what was expected of it and of the runs its steps have started.
 * @param at what the run is called in the differences
 */
export function compareRun(
  at: string,
  expected: ExpectedRun,
  actual: { readonly run: RunResult; readonly places: Places },
): string[] {
  const { run, places } = actual;
  const differences: string[] = [];
  const differ = (what: string, was: unknown, wanted: unknown): void => {
    differences.push(`${at}: ${what} was ${JSON.stringify(was)}, expected ${JSON.stringify(wanted)}`);
  };
  if (run.status !== expected.status)
    differ(`status (${run.error ?? 'no error'})`, run.status, expected.status);
  if (expected.name !== undefined && run.name !== expected.name) differ('name', run.name, expected.name);
  const params = expected.params?.map((parameter) => fillIn(parameter, places));
  if (params !== undefined && !isSame(run.params, params)) differ('params', run.params, params);
  if (expected.outputs !== undefined && !haveValues(run.outputs, expected.outputs, places))
    differ('outputs', run.outputs, expected.outputs);
  if (expected.error !== undefined && missingFragments(run.error ?? '', expected.error, places).length > 0)
    differ('error', run.error, expected.error);
  if (expected.steps !== undefined)
    differences.push(...compareSteps(`${at} > step`, expected.steps, { steps: run.steps, places }));
  if (expected.handlers !== undefined)
    differences.push(...compareSteps(`${at} > handler`, expected.handlers, { steps: run.handlers, places }));
  return differences;
}

function compareSteps(
  at: string,
  expected: Readonly<Record<string, ExpectedStep>>,
  { steps, places }: { readonly steps: readonly StepResult[]; readonly places: Places },
): string[] {
  const names = steps.map(({ name }) => name);
  const wanted = Object.keys(expected);
  if (!isSame(names, wanted)) return [`${at}s: ${JSON.stringify(names)}, expected ${JSON.stringify(wanted)}`];
  return steps.flatMap((step) => compareStep(`${at} ${step.name}`, expected[step.name]!, { step, places }));
}

function compareStep(
  at: string,
  expected: ExpectedStep,
  { step, places }: { readonly step: StepResult; readonly places: Places },
): string[] {
  const wanted = typeof expected === 'string' ? { status: expected } : expected;
  const differences: string[] = [];
  for (const key of ['status', 'exitCode', 'signal', 'attempts'] as const) {
    if (wanted[key] !== undefined && step[key] !== wanted[key])
      differences.push(`${at}: ${key} ${step[key]}, expected ${wanted[key]} (${step.error ?? 'no error'})`);
  }
  for (const key of ['stdout', 'stderr'] as const) {
    if (wanted[key] !== undefined && !isText(step[key], wanted[key], places))
      differences.push(`${at}: ${key} ${JSON.stringify(step[key])}, expected ${JSON.stringify(wanted[key])}`);
  }
  for (const fragment of missingFragments(step.error ?? '', wanted.error ?? [], places))
    differences.push(`${at}: error ${JSON.stringify(step.error)} does not say ${JSON.stringify(fragment)}`);
  return [...differences, ...compareSubRuns(at, wanted.runs, { step, places })];
}

function compareSubRuns(
  at: string,
  expected: readonly ExpectedRun[] | undefined,
  { step, places }: { readonly step: StepResult; readonly places: Places },
): string[] {
  if (expected === undefined) return [];
  if (expected.length !== step.runs.length)
    return [`${at}: it started ${step.runs.length} runs, expected ${expected.length}`];
  return step.runs.flatMap((run, index) =>
    compareRun(`${at} > run ${index}`, expected[index]!, { run, places: { ...places, runId: run.dagRunId } }),
  );
}

function haveValues(
  actual: RunResult['outputs'],
  expected: Record<string, unknown>,
  places: Places,
): boolean {
  return (
    isSame(Object.keys(actual).sort(), Object.keys(expected).sort()) && isValue(actual, expected, places)
  );
}

const isSame = (left: readonly string[], right: readonly string[]): boolean =>
  left.length === right.length && left.every((text, index) => text === right[index]);
