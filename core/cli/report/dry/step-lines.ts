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
import { folderText, indent, labelled, textLines, valueLines, valueText, wordsText } from './value-text.ts';

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
    ...labelled('with', valueLines(channel, step.variables)),
    ...labelled('shell', shell.length === 0 ? [] : [wordsText(channel, shell)]),
    ...labelled('env', valueLines(channel, env)),
    ...labelled('folder', step.dir.value === runDir ? [] : [folderText(channel, step.dir)]),
    ...labelled(
      'condition',
      step.conditions.flatMap((condition) => conditionLines(channel, condition)),
    ),
    ...(parallel === undefined ? [] : labelled('for each', itemLines(channel, parallel))),
    ...labelled('output', output === undefined ? [] : [`saved as ${output}`]),
    ...labelled('stdout', stdout === undefined ? [] : [valueText(channel, stdout)]),
    ...labelled('stderr', stderr === undefined ? [] : [valueText(channel, stderr)]),
    ...labelled('rules', step.rules.map(oneLine)),
  ];
  return [head, ...indent(body, 2)];
}

function actionLines(channel: Channel, action: DryActionView): string[] {
  switch (action.kind) {
    case 'command':
    case 'script':
      return labelled(action.kind, textLines(action.text));
    case 'argv':
      return labelled('program', [wordsText(channel, action.argv)]);
    case 'dag':
      return labelled('workflow', [oneLine(action.dag), ...valueLines(channel, action.params)]);
    case 'executor':
      return labelled(action.type, valueLines(channel, action.fields));
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
  const same = value.value === written ? '' : `, which is ${valueText(channel, value)},`;
  return [`${command}${same} is ${negate ? 'not ' : ''}${JSON.stringify(oneLine(expected))}  ${note}`];
}

function itemLines(channel: Channel, parallel: NonNullable<DryStepView['parallel']>): string[] {
  const { maxConcurrent, expression, items } = parallel;
  const count = items === undefined ? 'items' : pluralize(items.length, 'item');
  const from = expression === undefined ? '' : ` of ${valueText(channel, expression)}`;
  const listed = (items ?? []).slice(0, itemsShown).flatMap((item) => itemText(channel, item));
  const left = (items?.length ?? 0) - itemsShown;
  return [
    `${count}, at most ${maxConcurrent} in parallel${from}`,
    ...indent(listed, 2),
    ...(left > 0 ? [channel.paint('dim', `  and ${left} more`)] : []),
  ];
}

function itemText(channel: Channel, { params = [], ...value }: DryItemView): string[] {
  const given = valueLines(channel, params).join('  ');
  return [`${valueText(channel, value)}${given === '' ? '' : channel.paint('dim', `  ${given}`)}`];
}
