import { pluralize } from '../base/text.ts';
import type {
  DryFindingView,
  DryRunView,
  DryPlanView,
  DryStepView,
  DryActionView,
  DryConditionView,
  DryItemView,
  DryValueView,
  DryFolderView,
  DryNamedValueView,
} from '../contract/dry.ts';
import type { Channel } from './terminal.ts';
import { displayWidth, oneLine, padToWidth, truncateToWidth } from './format.ts';

/** Returns the lines of a dry run: plan, findings, verdict. */
export function dryRunLines(channel: Channel, view: DryRunView): string[] {
  const findings = view.findings.map((finding) => findingLine(channel, finding));
  const plan = new PlanWriter(channel, view).write(0);
  const lines = [...plan, '', ...findings, '', ...summaryLines(channel, view)];
  return lines.filter((line, index) => line !== '' || lines[index - 1] !== '');
}

const styles = {
  error: { shape: '✖', paint: 'red' },
  warning: { shape: '▲', paint: 'yellow' },
  info: { shape: '●', paint: 'blue' },
} as const;

function findingLine(channel: Channel, finding: DryFindingView): string {
  const { shape, paint } = styles[finding.severity];
  const step = finding.step === undefined ? [] : [`step ${finding.step}`];
  const location = [finding.workflow, ...step, ...(finding.field === undefined ? [] : [finding.field])];
  return `${channel.paint(paint, `${shape} ${finding.severity}`)} ${oneLine(location.join(', '))}: ${oneLine(finding.message)}`;
}

function summaryLines(channel: Channel, view: DryRunView): string[] {
  const errors = view.findings.filter(({ severity }) => severity === 'error').length;
  const line = view.runnable
    ? `${channel.paint('green', '✔')} Dry run: no problems found.`
    : `${channel.paint('red', '✖')} Dry run: the run would fail (${pluralize(errors, 'error')}).`;
  if (view.ranSubstitutions) return [line.replace('Dry run:', 'Dry run (commands in backticks were run):')];
  return hasCommands(view)
    ? [line, '  Commands in backticks were not run. Run them with --run-substitutions.']
    : [line];
}

const hasCommands = (view: DryRunView): boolean => /"unresolved":\[[^\]]*"`/.test(JSON.stringify(view.plans));

/** Writes the plans of a dry run, each below the step that starts it. */
class PlanWriter {
  readonly #channel: Channel;
  readonly #view: DryRunView;
  /** Plans that have been written, with the step that led to them. */
  readonly #written = new Map<number, string>();

  constructor(channel: Channel, view: DryRunView) {
    this.#channel = channel;
    this.#view = view;
  }

  /** Returns the plan with its values, then its steps by wave, then its handlers. */
  write(index: number): string[] {
    const plan = this.#view.plans[index];
    if (plan === undefined) return [];
    const waves = Map.groupBy(plan.steps, ({ wave }) => wave ?? 0);
    return [
      ...this.#headLines(plan),
      ...Array.from(waves).flatMap(([wave, steps]) =>
        this.#groupLines(waveTitle(wave, steps.length), steps, plan),
      ),
      ...this.#groupLines('Handlers', plan.handlers, plan),
    ];
  }

  #headLines(plan: DryPlanView): string[] {
    const channel = this.#channel;
    const file = plan.file === undefined ? '' : channel.paint('dim', `  ${oneLine(plan.file)}`);
    const { dotenv } = plan;
    const secrets = plan.secrets.map(
      ({ name, provider, key, found }) =>
        `${name} = ${found ? '*******' : channel.paint('red', 'no value')}${channel.paint('dim', `  ${provider} ${oneLine(key)}`)}`,
    );
    return [
      ...withLabel('Workflow', [`${channel.paint('bold', oneLine(plan.name))}${file}`]),
      ...withLabel('Params', valueLines(channel, plan.params)),
      ...withLabel('Env', valueLines(channel, plan.env)),
      ...withLabel(
        'Dotenv',
        dotenv === undefined ? [] : [oneLine(dotenv.file), ...valueLines(channel, dotenv.variables)],
      ),
      ...withLabel('Secrets', secrets),
      ...withLabel('Folder', [formatFolder(channel, plan.workingDir)]),
      ...withLabel('Logs', [formatFolder(channel, plan.logDir)]),
      ...withLabel(
        'Condition',
        plan.conditions.flatMap((condition) => conditionLines(channel, condition)),
      ),
      ...withLabel('Rules', plan.rules),
    ];
  }

  #groupLines(title: string, steps: readonly DryStepView[], plan: DryPlanView): string[] {
    if (steps.length === 0) return [];
    const blocks = steps.flatMap((step, index) => [...(index === 0 ? [] : ['']), ...this.#step(step, plan)]);
    return ['', this.#channel.paint('cyan', title), ...indent(blocks, 2)];
  }

  #step(step: DryStepView, plan: DryPlanView): string[] {
    return [...stepLines(this.#channel, step, plan.workingDir.value), ...indent(this.#subPlan(step), 4)];
  }

  /** Returns the plan of the first item only; the plans of the others differ in their values. */
  #subPlan({ name, action, parallel }: DryStepView): string[] {
    const plan = action.kind === 'dag' ? (action.plan ?? parallel?.items?.[0]?.plan) : undefined;
    if (plan === undefined) return [];
    const before = this.#written.get(plan);
    if (before !== undefined) return [this.#channel.paint('dim', `same as for ${oneLine(before)}`)];
    this.#written.set(plan, name);
    const isFirst = (parallel?.items?.length ?? 0) > 1;
    const note = isFirst ? [this.#channel.paint('dim', 'Run of the first item:')] : [];
    return ['', ...note, ...this.write(plan), ''];
  }
}

const waveTitle = (wave: number, count: number): string =>
  `Wave ${wave}${count > 1 ? `: ${count} steps that can run in parallel` : ''}`;

/** Maximum number of `parallel` items to list. */
const itemsShown = 10;

/**
 * Returns a step or handler as a block: its action, values and settings.
 * @param runDir default directory, which is omitted
 */
function stepLines(channel: Channel, step: DryStepView, runDir: string): string[] {
  const after = step.depends.length > 0 ? `  after ${step.depends.map(oneLine).join(', ')}` : '';
  const when = step.handler === undefined ? after : `  on ${step.handler}`;
  const head = `${channel.paint('bold', oneLine(step.name))}${channel.paint('dim', when)}`;
  const { parallel, env, output, stdout, stderr } = step;
  const shell = getShell(step.action);
  const body = [
    ...actionLines(channel, step.action),
    ...withLabel('with', valueLines(channel, step.variables)),
    ...withLabel('shell', shell.length === 0 ? [] : [commandLineText(channel, shell)]),
    ...withLabel('env', valueLines(channel, env)),
    ...withLabel('folder', step.dir.value === runDir ? [] : [formatFolder(channel, step.dir)]),
    ...withLabel(
      'condition',
      step.conditions.flatMap((condition) => conditionLines(channel, condition)),
    ),
    ...(parallel === undefined ? [] : withLabel('for each', itemLines(channel, parallel))),
    ...withLabel('output', output === undefined ? [] : [`saved as ${output}`]),
    ...withLabel('stdout', stdout === undefined ? [] : [formatValue(channel, stdout)]),
    ...withLabel('stderr', stderr === undefined ? [] : [formatValue(channel, stderr)]),
    ...withLabel('rules', step.rules.map(oneLine)),
  ];
  return [head, ...indent(body, 2)];
}

function actionLines(channel: Channel, action: DryActionView): string[] {
  switch (action.kind) {
    case 'command':
    case 'script':
      return withLabel(action.kind, textLines(action.text));
    case 'argv':
      return withLabel('program', [commandLineText(channel, action.argv)]);
    case 'dag':
      return withLabel('workflow', [oneLine(action.dag), ...valueLines(channel, action.params)]);
    case 'executor':
      return withLabel(action.type, valueLines(channel, action.fields));
  }
}

const getShell = (action: DryActionView): readonly DryValueView[] =>
  action.kind === 'command' || action.kind === 'script' ? (action.shell ?? []) : [];

/** Returns a condition with its expected value. It is not evaluated. */
function conditionLines(channel: Channel, condition: DryConditionView): string[] {
  const { kind, written, value, expected = '', negate } = condition;
  const note = channel.paint('dim', 'not evaluated');
  const command = oneLine(written);
  if (kind === 'command' || value === undefined)
    return [`${command} ${negate ? 'fails' : 'succeeds'}  ${note}`];
  const same = value.value === written ? '' : `, which is ${formatValue(channel, value)},`;
  return [`${command}${same} is ${negate ? 'not ' : ''}${JSON.stringify(oneLine(expected))}  ${note}`];
}

function itemLines(channel: Channel, parallel: NonNullable<DryStepView['parallel']>): string[] {
  const { maxConcurrent, expression, items } = parallel;
  const count = items === undefined ? 'items' : pluralize(items.length, 'item');
  const from = expression === undefined ? '' : ` of ${formatValue(channel, expression)}`;
  const listed = (items ?? []).slice(0, itemsShown).flatMap((item) => itemText(channel, item));
  const hiddenCount = (items?.length ?? 0) - itemsShown;
  return [
    `${count}, at most ${maxConcurrent} in parallel${from}`,
    ...indent(listed, 2),
    ...(hiddenCount > 0 ? [channel.paint('dim', `  and ${hiddenCount} more`)] : []),
  ];
}

function itemText(channel: Channel, { params = [], ...value }: DryItemView): string[] {
  const paramsText = valueLines(channel, params).join('  ');
  return [
    `${formatValue(channel, value)}${paramsText === '' ? '' : channel.paint('dim', `  ${paramsText}`)}`,
  ];
}

const maxValueLength = 200;

/** Shown for a value that is unknown before the run. */
const notKnown = 'known only at run time';

/** Returns a value on one line, marked if it depends on the run. */
function formatValue(channel: Channel, { value, unresolved }: DryValueView): string {
  const text = truncateToWidth(oneLine(value), maxValueLength);
  if (unresolved !== undefined) return `${channel.paint('yellow', text)}  ${channel.paint('dim', notKnown)}`;
  return text === '' ? channel.paint('dim', '(empty)') : text;
}

/** Returns `NAME = value` lines with aligned names. */
function valueLines(channel: Channel, values: readonly DryNamedValueView[]): string[] {
  const names = values.map(({ name }) => oneLine(name));
  const width = Math.max(0, ...names.map(displayWidth));
  return values.map((value, index) => `${padToWidth(names[index]!, width)} = ${formatValue(channel, value)}`);
}

/** Returns a directory, and whether the run would create it. */
function formatFolder(channel: Channel, folder: DryFolderView): string {
  const made = folder.exists === false ? `  ${channel.paint('dim', 'created by the run')}` : '';
  return `${formatValue(channel, folder)}${made}`;
}

/** Returns program and arguments with POSIX shell quoting. */
const commandLineText = (channel: Channel, args: readonly DryValueView[]): string =>
  args
    .map(({ value, unresolved }) => {
      const text = quote(oneLine(value));
      return unresolved === undefined ? text : channel.paint('yellow', text);
    })
    .join(' ');

const quote = (word: string): string =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;

/** Splits text into lines that are safe for a terminal. */
const textLines = (text: string): string[] =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => {
      const [indent = ''] = /^ */.exec(line.replaceAll('\t', '    ')) ?? [];
      return indent + oneLine(line);
    });

/** Returns lines below a label, or next to it if there is only one. */
function withLabel(label: string, lines: readonly string[]): string[] {
  const [first, ...others] = lines;
  if (first === undefined) return [];
  return [`${label.padEnd(labelWidth)}${first}`, ...others.map((line) => ' '.repeat(labelWidth) + line)];
}

const labelWidth = 13;

const indent = (lines: readonly string[], columns: number): string[] =>
  lines.map((line) => (line === '' ? line : ' '.repeat(columns) + line));
