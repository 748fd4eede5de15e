import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import type {
  DryFindingView,
  DryPlanView,
  DryRunView,
  DryStepView,
} from '../../../../core/contract/runs/dry.ts';
import { openDryRuns } from '../../../../core/wiring/open-dry-runs.ts';
import { FakeClock } from '../../../rig/fake-clock.ts';
import { makeTemporaryFolder } from '../../../rig/temporary-folder.ts';
import type { DryRunRequest } from '../../../../core/api/engine-host.ts';

/** A dry run of a text, on a home that does not exist. */
export function dryRun(spec: string, request: Partial<DryRunRequest> = {}): Promise<DryRunView> {
  const home = path.join(makeTemporaryFolder(), 'home');
  return openDryRuns({ home, clock: new FakeClock() })({ source: { spec }, ...request });
}

/** The first plan; every test has one. */
export const planOf = (view: DryRunView): DryPlanView => view.plans[0]!;

export function stepOf(view: DryRunView, name: string, plan = 0): DryStepView {
  const { steps, handlers } = view.plans[plan]!;
  const step = [...steps, ...handlers].find((each) => each.name === name);
  if (step === undefined) throw new Error(`there is no step ${name}`);
  return step;
}

/** Findings on one line each: `error etl > child / step / field: message`. */
export const findingLines = ({ findings }: DryRunView): string[] => findings.map(lineOf);

function lineOf({ severity, workflow, step, field, message }: DryFindingView): string {
  const place = [workflow, step, field].filter((part) => part !== undefined).join(' / ');
  return `${severity} ${place}: ${message}`;
}

/** Everything below a folder, with size and time of change: what a run would alter. */
export function snapshot(folder: string): string[] {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return names.toSorted().map((name) => {
    const { size, mtimeMs } = statSync(path.join(folder, name));
    return `${name} ${size} ${mtimeMs}`;
  });
}
