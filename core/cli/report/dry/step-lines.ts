import { pluralize } from '../../../base/text/pluralize.ts';
import type {
  DryActionView,
  DryConditionView,
  DryItemView,
  DryStepView,
  DryValueView,
} from '../../../contract/runs/dry.ts';
import type { Channel } from '../../terminal.ts';
import { oneLine } from '../plain-text.ts';
import {
  formatFolder,
  indent,
  withLabel,
  textLines,
  valueLines,
  formatValue,
  commandLineText,
} from './value-text.ts';

/** Maximum number of `parallel` items to list. */
const itemsShown = 10;

/**
 * Returns a step or handler as a block: its action, values and settings.
 * @param runDir default directory, which is omitted
 */
export function stepLines(channel: Channel, step: DryStepView, runDir: string): string[] {
  const after = step.depends.length > 0 ? `  after ${step.depends.map(oneLine).join(', ')}` : '';
  const when = step.handler === undefined ? after : `  on ${step.handler}`;
  const head = `${channel.paint('bold', oneLine(step.name))}${channel.paint('dim', when)}`;
  const { parallel, env, output, stdout, stderr } = step;
  const shell = shellOf(step.action);
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

const shellOf = (action: DryActionView): readonly DryValueView[] =>
  action.kind === 'command' || action.kind === 'script' ? (action.shell ?? []) : [];

/** Returns a condition with its expected value. It is not evaluated. */
export function conditionLines(channel: Channel, condition: DryConditionView): string[] {
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
