import { appendFileSync, closeSync, existsSync, openSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { AppError, formatFsError } from '../base/errors.ts';
import { escapeMarkup, formatDuration, removeControlCharacters, visibleText } from '../base/text.ts';
import type { RunDetailView, StepRunView } from '../contract/run-views.ts';
import { buildOutline } from '../edit/build-outline.ts';
import { readEditable } from '../edit/yaml/editable-text.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import { hasSucceeded } from '../model/run.ts';
import { createLineMap } from '../spec/source.ts';
import type { CommandContext } from './command-context.ts';
import type { EngineClient } from './host/engine-client.ts';
import { oneLine } from './format.ts';
import type { ReportTarget } from './options.ts';

/** Reports of one run for a CI system. */
export interface CiReports {
  /** Writes all reports of the ended run. */
  write(host: EngineClient, run: RunDetailView): Promise<void>;
  /** Reports problems of a workflow file that cannot run. */
  writeProblems(problems: readonly Diagnostic[]): Promise<void>;
}

/** Checks that the report files can be written. Throws `bad_request`. */
export function openReports(context: CommandContext, targets: readonly ReportTarget[]): CiReports {
  const { cwd, environment } = context;
  const isGitHub = targets.some(({ kind }) => kind === 'github');
  const summaryFile = environment['GITHUB_STEP_SUMMARY'];
  const junitFiles = targets.flatMap((each) => (each.kind === 'junit' ? [path.resolve(cwd, each.file)] : []));
  for (const file of [...junitFiles, ...(isGitHub && summaryFile ? [summaryFile] : [])]) assertWritable(file);
  const root = environment['GITHUB_WORKSPACE'] || cwd;
  return {
    async write(host, run) {
      const steps = await describeSteps(context, host, run);
      const file = run.file === undefined ? undefined : shortenPath(run.file, root);
      for (const junitFile of junitFiles) writeFileSync(junitFile, formatJunit(run, steps, file));
      if (!isGitHub) return;
      await context.terminal.stderr.write(formatAnnotations(run, steps, file).join(''));
      if (summaryFile) appendFileSync(summaryFile, formatSummary(run, steps));
    },
    async writeProblems(problems) {
      if (!isGitHub) return;
      const lines = problems.map(({ severity, message, file, line, column }) =>
        formatCommand(severity, { file: file && shortenPath(file, root), line, col: column }, message),
      );
      await context.terminal.stderr.write(lines.join(''));
    },
  };
}

function assertWritable(file: string): void {
  const isNew = !existsSync(file);
  try {
    closeSync(openSync(file, 'a'));
    if (isNew) rmSync(file);
  } catch (error) {
    throw new AppError('bad_request', `Cannot write the report ${file}: ${formatFsError(error)}.`, {
      cause: error,
    });
  }
}

/** Relative to the checkout, as annotations need it; unchanged outside of it. */
function shortenPath(file: string, root: string): string {
  const relative = path.relative(root, file);
  return relative.startsWith('..') || path.isAbsolute(relative) ? file : relative.replaceAll('\\', '/');
}

interface ReportedStep {
  readonly step: StepRunView;
  /** 1-based line in the workflow file. */
  readonly line: number | undefined;
  /** Last lines of output of a step that did not succeed. */
  readonly output: string;
}

/** Last lines of a log that a report contains. */
const outputLines = 20;

/** Steps, and the handlers that ran. */
async function describeSteps(
  context: CommandContext,
  host: EngineClient,
  run: RunDetailView,
): Promise<ReportedStep[]> {
  const [document] = buildOutline(readEditable(run.spec)).documents;
  const lines = createLineMap(run.spec);
  const written = [...(document?.steps ?? []), ...(document?.handlers ?? [])];
  const handlers = run.handlers.filter(({ status }) => status !== 'not_started');
  return Promise.all(
    [...run.steps, ...handlers].map(async (step) => {
      const found = written.find(
        ({ section, name }) =>
          section === step.section &&
          (section === 'step' ? name === step.name : `on${name}`.toLowerCase() === step.name.toLowerCase()),
      );
      return {
        step,
        line: found && lines.locate(found.from).line,
        output: isProblem(step) ? await readOutput(context, host, run, step) : '',
      };
    }),
  );
}

/** A step that was aborted before its first attempt only follows from another one. */
const isProblem = ({ status, attempts }: StepRunView): boolean =>
  status === 'failed' || (status === 'aborted' && attempts.length > 0);

async function readOutput(
  { caller }: CommandContext,
  { api }: EngineClient,
  { name, dagRunId }: RunDetailView,
  step: StepRunView,
): Promise<string> {
  for (const stream of ['stderr', 'stdout'] as const) {
    const address = { name, dagRunId, step: step.name, section: step.section, stream };
    const page = await api.call('logs.lines', { ...address, from: -outputLines, count: outputLines }, caller);
    if (page.lines.length > 0) return page.lines.map(visibleText).join('\n');
  }
  return '';
}

const getElapsedMs = ({
  startedAt,
  finishedAt,
}: Partial<Pick<StepRunView, 'startedAt' | 'finishedAt'>>): number =>
  startedAt === undefined || finishedAt === undefined ? 0 : Date.parse(finishedAt) - Date.parse(startedAt);

const explain = (step: StepRunView): string =>
  oneLine(step.error ?? (step.exitCode === undefined ? step.status : `exit code ${step.exitCode}`));

/** JUnit XML, with one test case per step. */
function formatJunit(run: RunDetailView, steps: readonly ReportedStep[], file: string | undefined): string {
  const counts = [
    ['tests', steps.length],
    ['failures', steps.filter(({ step }) => isProblem(step)).length],
    ['errors', 0],
    ['skipped', steps.filter(({ step }) => !isProblem(step) && !hasSucceeded(step.status)).length],
    ['time', (getElapsedMs(run) / 1000).toFixed(3)],
  ] as const;
  const all = counts.map(([name, value]) => ` ${name}="${value}"`).join('');
  const suite = attributes({ name: run.name, id: run.dagRunId, timestamp: run.startedAt, file });
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="${escapeMarkup(run.name)}"${all}>`,
    `  <testsuite${suite}${all}>`,
    ...steps.map((each) => formatTestCase(run, each, file)),
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n');
}

function formatTestCase(run: RunDetailView, { step, line, output }: ReportedStep, file?: string): string {
  const time = (getElapsedMs(step) / 1000).toFixed(3);
  const classname = step.section === 'handler' ? `${run.name}.handlers` : run.name;
  const head = `    <testcase${attributes({ name: step.name, classname, time, file, line })}`;
  if (hasSucceeded(step.status)) return `${head}/>`;
  if (!isProblem(step))
    return `${head}><skipped${attributes({ message: step.error ?? step.status })}/></testcase>`;
  const failure = attributes({ message: explain(step), type: step.status });
  return `${head}><failure${failure}>${escapeXml(output)}</failure></testcase>`;
}

const attributes = (values: Readonly<Record<string, string | number | undefined>>): string =>
  Object.entries(values)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => ` ${name}="${escapeXml(oneLine(String(value)))}"`)
    .join('');

/** XML 1.0 cannot represent control characters, and no lone surrogates. */
const escapeXml = (text: string): string =>
  escapeMarkup(text.split('\n').map(removeControlCharacters).join('\n').toWellFormed());

/** Workflow commands of GitHub Actions. A failure that the run tolerated is a warning. */
function formatAnnotations(run: RunDetailView, steps: readonly ReportedStep[], file?: string): string[] {
  const failed = steps.filter(({ step }) => isProblem(step));
  const level = hasSucceeded(run.status) ? 'warning' : 'error';
  if (failed.length === 0 && !hasSucceeded(run.status))
    return [formatCommand(level, { file, title: `${run.name} ${run.status}` }, run.error ?? run.status)];
  return failed.map(({ step, line, output }) =>
    formatCommand(
      level,
      { file, line, title: `Step ${step.name} ${step.status}` },
      [explain(step), output].filter(Boolean).join('\n'),
    ),
  );
}

const percentCodes: Readonly<Record<string, string>> = {
  '%': '%25',
  '\r': '%0D',
  '\n': '%0A',
  ':': '%3A',
  ',': '%2C',
};

function formatCommand(
  level: 'error' | 'warning',
  properties: Readonly<Record<string, string | number | undefined>>,
  message: string,
): string {
  const options = Object.entries(properties)
    .filter(([, value]) => value !== undefined && value !== '' && value !== 0)
    .map(
      ([name, value]) => `${name}=${String(value).replaceAll(/[%\r\n:,]/g, (sign) => percentCodes[sign]!)}`,
    );
  const text = message.replaceAll(/[%\r\n]/g, (sign) => percentCodes[sign]!);
  return `::${level} ${options.join(',')}::${text}\n`;
}

/** The step summary of a job in Markdown. */
function formatSummary(run: RunDetailView, steps: readonly ReportedStep[]): string {
  const rows = steps.map(({ step }) => [
    step.name,
    step.status.replaceAll('_', ' '),
    step.startedAt === undefined ? '' : formatDuration(getElapsedMs(step)),
    String(step.attempts.length),
    String(step.exitCode ?? step.signal ?? ''),
    isProblem(step) ? explain(step) : '',
  ]);
  const table = [
    ['Step', 'Status', 'Duration', 'Attempts', 'Exit code', 'Error'],
    ['---', '---', '--:', '--:', '--:', '---'],
    ...rows.map((cells) => cells.map(escapeCell)),
  ];
  const outcome = `${run.status.replaceAll('_', ' ')} in ${formatDuration(getElapsedMs(run))}`;
  const lines = [
    `### ${escapeCell(run.name)}: ${outcome}`,
    '',
    ...table.map((row) => `| ${row.join(' | ')} |`),
  ];
  return `${lines.join('\n')}\n\n`;
}

const escapeCell = (text: string): string => oneLine(text).replaceAll(/[\\`*_[\]<>|]/g, String.raw`\$&`);
