import type { DryPlanView, DryRunView, DryStepView } from '../../../contract/runs/dry.ts';
import type { Channel } from '../../terminal.ts';
import { oneLine } from '../plain-text.ts';
import { conditionLines, stepLines } from './step-lines.ts';
import { formatFolder, indent, withLabel, valueLines } from './value-text.ts';

/** Writes the plans of a dry run, each below the step that starts it. */
export class PlanWriter {
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
    const place = action.kind === 'dag' ? (action.plan ?? parallel?.items?.[0]?.plan) : undefined;
    if (place === undefined) return [];
    const before = this.#written.get(place);
    if (before !== undefined) return [this.#channel.paint('dim', `same as for ${oneLine(before)}`)];
    this.#written.set(place, name);
    const isFirst = (parallel?.items?.length ?? 0) > 1;
    const note = isFirst ? [this.#channel.paint('dim', 'Run of the first item:')] : [];
    return ['', ...note, ...this.write(place), ''];
  }
}

const waveTitle = (wave: number, count: number): string =>
  `Wave ${wave}${count > 1 ? `: ${count} steps that can run in parallel` : ''}`;
