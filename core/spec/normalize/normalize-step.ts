import type { Step } from '../../model/workflow/step.ts';
import type { Report } from '../source/report.ts';
import { findField, fieldOf } from '../source/source-node.ts';
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
  const { authored, source, action } = draft;
  const step = {
    name,
    id: authored.id,
    description: authored.description,
    runsHere: runsHere(authored.type),
    depends,
    dir: authored.dir,
    shell: readShell(findField(source, 'shell'), report),
    shellPackages: readShellPackages(source, action, report),
    terminal: readTerminal(authored, source, action, report),
    env: readEnv(findField(source, 'env'), report),
    output: readOutput(authored.output, fieldOf(source, 'output'), report),
    stdout: authored.stdout,
    stderr: authored.stderr,
    continueOn: readContinueOn(authored.continueOn, fieldOf(source, 'continueOn'), report),
    retry: readRetryPolicy(authored.retryPolicy, fieldOf(source, 'retryPolicy'), report),
    repeat: readRepeatPolicy(authored.repeatPolicy, fieldOf(source, 'repeatPolicy'), report),
    parallel: readParallel(authored.parallel, fieldOf(source, 'parallel'), report),
    preconditions: readConditions(authored.preconditions, fieldOf(source, 'preconditions'), report),
    timeoutSec: readTimeout(authored.timeoutSec),
    signalOnStop: readSignal(authored.signalOnStop, fieldOf(source, 'signalOnStop'), report),
    mailOnError: authored.mailOnError,
    workerSelector: readTextMap(source, 'workerSelector'),
    inputFiles: readArtifactNames(source, 'inputFiles', action?.kind === 'dag', report),
    outputFiles: readArtifactNames(source, 'outputFiles', action?.kind === 'dag', report),
    onPartition: authored.onPartition,
    at: report.lines.locate(source.node.start),
  };
  return action && { ...step, action };
}
