import type { Step } from '../../model/workflow/step.ts';
import type { Report } from '../source/report.ts';
import { findPlace, placeOf } from '../source/source-node.ts';
import { readArtifactNames } from '../rules/artifact-names.ts';
import { readConditions } from '../rules/conditions.ts';
import { readEnv } from '../rules/env.ts';
import { readTimeout } from '../rules/numbers.ts';
import { readOutput } from '../rules/output.ts';
import { readParallel } from '../rules/parallel.ts';
import { readContinueOn } from '../rules/policies/continue-on.ts';
import { readRepeatPolicy } from '../rules/policies/repeat-policy.ts';
import { readRetryPolicy } from '../rules/policies/retry-policy.ts';
import { readShell } from '../rules/shell.ts';
import { readShellPackages } from '../rules/shell-packages.ts';
import { readSignal } from '../rules/signal.ts';
import { readTerminal } from '../rules/terminal.ts';
import { readTextMap } from '../rules/text-map.ts';
import { runsHere } from './remote-steps.ts';
import type { StepDraft } from './step-draft.ts';

/** Converts a step draft to a step. Returns undefined if the step has no valid action. */
export function normalizeStep(
  draft: StepDraft,
  name: string,
  depends: string[],
  report: Report,
): Step | undefined {
  const { authored, place, action } = draft;
  const step = {
    name,
    id: authored.id,
    description: authored.description,
    runsHere: runsHere(authored.type),
    depends,
    dir: authored.dir,
    shell: readShell(findPlace(place, 'shell'), report),
    shellPackages: readShellPackages(place, action, report),
    terminal: readTerminal(authored, place, action, report),
    env: readEnv(findPlace(place, 'env'), report),
    output: readOutput(authored.output, placeOf(place, 'output'), report),
    stdout: authored.stdout,
    stderr: authored.stderr,
    continueOn: readContinueOn(authored.continueOn, placeOf(place, 'continueOn'), report),
    retry: readRetryPolicy(authored.retryPolicy, placeOf(place, 'retryPolicy'), report),
    repeat: readRepeatPolicy(authored.repeatPolicy, placeOf(place, 'repeatPolicy'), report),
    parallel: readParallel(authored.parallel, placeOf(place, 'parallel'), report),
    preconditions: readConditions(authored.preconditions, placeOf(place, 'preconditions'), report),
    timeoutSec: readTimeout(authored.timeoutSec),
    signalOnStop: readSignal(authored.signalOnStop, placeOf(place, 'signalOnStop'), report),
    mailOnError: authored.mailOnError,
    workerSelector: readTextMap(place, 'workerSelector'),
    inputFiles: readArtifactNames(place, 'inputFiles', action?.kind === 'dag', report),
    outputFiles: readArtifactNames(place, 'outputFiles', action?.kind === 'dag', report),
    onPartition: authored.onPartition,
    at: report.lines.locate(place.node.start),
  };
  return action && { ...step, action };
}
