import type {
  CaseResult,
  Problem,
  RanResult,
  RefusedResult,
  RejectedResult,
  AcceptedResult,
} from './case-result.ts';
import { compareDry } from './compare-dry.ts';
import { compareOrder } from './compare-order.ts';
import { compareRun } from './compare-run.ts';
import { fileNameOf, type ConformanceCase } from './case-format.ts';
import type { ExpectedError, ExpectedWarning, Expectation, RunOutcome } from './expectation-format.ts';
import { isText, missingFragments } from './match-text.ts';
import type { Rerun } from './rerun-format.ts';

/** In what a result differs from what its case expects, one line each; empty when it conforms. */
export function compare(
  item: Pick<ConformanceCase, 'expect' | 'as' | 'afterwards'>,
  result: CaseResult,
): string[] {
  return [
    ...compareKinds(item, result),
    ...findWrongFiles(fileNameOf(item), result),
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

/** Every problem names the file it is about. */
function findWrongFiles(file: string, result: CaseResult): string[] {
  const listed = 'warnings' in result ? (result.warnings ?? []) : [];
  const problems = result.kind === 'rejected' ? [...result.validation, ...result.start, ...listed] : listed;
  return problems
    .filter((problem) => problem.file !== file)
    .map((problem) => `"${problem.message}" is said of the file "${problem.file}", expected "${file}"`);
}

const wrongKind = (wanted: string, result: CaseResult): string[] => [
  `expected ${wanted}, but it was ${result.kind}: ${JSON.stringify(result)}`,
];

function compareRan(expected: RunOutcome, result: RanResult): string[] {
  const { run, exit, warnings, files, places } = result;
  const wantedExit = expected.exit ?? (expected.status === 'succeeded' ? 0 : 1);
  const differences = compareRun('run', expected, { run, places });
  if (exit !== undefined && exit !== wantedExit)
    differences.push(`exit code of engine start: ${exit}, expected ${wantedExit}`);
  if (expected.order !== undefined)
    differences.push(...compareOrder(expected.order, [...run.steps, ...run.handlers]));
  for (const [path, text] of Object.entries(expected.leaves ?? {})) {
    const found = files[path];
    if (found === undefined || !isText(found, text, places))
      differences.push(`file ${path}: ${JSON.stringify(found ?? null)}, expected ${JSON.stringify(text)}`);
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
  const said = (plan?.steps ?? []).map(({ name, action, reason }) => ({
    name,
    text: `${action}: ${reason}`,
  }));
  const shown = said.map(({ name, text }) => `${name} ${text}`).join(', ');
  const names = said.map(({ name }) => name).join(', ');
  const wanted = Object.keys(expected).join(', ');
  if (names !== wanted) return [`plan: ${shown}; expected it for ${wanted}`];
  return said.flatMap(({ name, text }) =>
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
  return expected.flatMap((wanted, index) => {
    const { line, column, field, message } = actual[index]!;
    const fragments = [wanted.says, 'cure' in wanted ? wanted.cure : []].flat();
    const conforms =
      wanted.at === `${line}:${column}` &&
      wanted.field === field &&
      missingFragments(message, fragments).length === 0;
    return conforms ? [] : [`${source}: "${shown[index]}", expected ${JSON.stringify(wanted)}`];
  });
}
