import type { Step } from '../../model/step.ts';
import type { Report } from '../source/report.ts';
import { findPlace, placeOf } from '../source/source-node.ts';
import { readConditions } from '../rules/conditions.ts';
import { readContinueOn } from '../rules/continue-on.ts';
import { readEnv } from '../rules/env.ts';
import { readTimeout } from '../rules/numbers.ts';
import { readOutput } from '../rules/output.ts';
import { readRetryPolicy } from '../rules/retry-policy.ts';
import { readShell } from '../rules/shell.ts';
import { readSignal } from '../rules/signal.ts';
import type { StepDraft } from './step-draft.ts';

/** Completes a drafted step; undefined when it was found not to do anything. */
export function normalizeStep(
  draft: StepDraft,
  name: string,
  depends: string[],
  report: Report,
): Step | undefined {
  const { authored, place, action } = draft;
  if (authored.mailOnError) {
    report.warning(
      placeOf(place, 'mailOnError'),
      '"mailOnError" has no effect in this version: no mail is sent.',
    );
  }
  const step = {
    name,
    id: authored.id,
    description: authored.description,
    depends,
    dir: authored.dir,
    shell: readShell(findPlace(place, 'shell'), report),
    env: readEnv(findPlace(place, 'env'), report),
    output: readOutput(authored.output, placeOf(place, 'output'), report),
    continueOn: readContinueOn(authored.continueOn, placeOf(place, 'continueOn'), report),
    retry: readRetryPolicy(authored.retryPolicy, placeOf(place, 'retryPolicy'), report),
    preconditions: readConditions(authored.preconditions, placeOf(place, 'preconditions'), report),
    timeoutSec: readTimeout(authored.timeoutSec),
    signalOnStop: readSignal(authored.signalOnStop, placeOf(place, 'signalOnStop'), report),
    at: report.lines.locate(place.node.start),
  };
  return action && { ...step, action };
}
