import { pluralize } from '../../../base/text/pluralize.ts';
import type { DryFindingView, DryRunView } from '../../../contract/runs/dry.ts';
import type { Channel } from '../../terminal.ts';
import { oneLine } from '../plain-text.ts';
import { PlanWriter } from './plan-lines.ts';

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
