import type { RunDetailView, RunSummaryView, StepRunView } from '../../../../core/contract/runs/run-views.ts';
import { readNamedStep } from '../../../../core/model/run/step-reason.ts';
import { isFinal, isFulfilled } from '../../../../core/model/run/status.ts';
import { paths, withQuery } from '../../../app/paths.ts';
import { systemClock } from '../../../app/clock.ts';
import { isAsking } from '../../../format/asking.ts';
import { showMoments } from '../../../format/time.ts';
import type { NodeRef } from '../../../graph/workflow-graph.tsx';

/** A part of a sentence: text, a link to a page, or a link to a step of the run. */
export interface ReasonSegment {
  readonly text: string;
  readonly href?: string;
  readonly node?: NodeRef;
}

interface Target extends ReasonSegment {
  /** The text as shown. */
  readonly text: string;
}

const plain = (text: string): ReasonSegment => ({ text });

const escapePattern = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** Turns the names in an engine message into links; longer names are matched first, and only as whole words. */
export function linkNames(sentence: string, targets: readonly Target[]): ReasonSegment[] {
  const byText = new Map(targets.map((target) => [target.text, target]));
  const words = [...byText.keys()].filter((text) => text !== '').sort((a, b) => b.length - a.length);
  if (words.length === 0) return [plain(sentence)];
  const pattern = new RegExp(`(?<![\\w.-])(${words.map(escapePattern).join('|')})(?![\\w-])`, 'g');
  const segments: ReasonSegment[] = [];
  let reached = 0;
  for (const { 0: word, index } of sentence.matchAll(pattern)) {
    if (index > reached) segments.push(plain(sentence.slice(reached, index)));
    segments.push(byText.get(word)!);
    reached = index + word.length;
  }
  if (reached < sentence.length) segments.push(plain(sentence.slice(reached)));
  return segments;
}

/** Explains why a run waits, was stopped or did not succeed; empty if there is nothing to explain. */
export function explainRun(run: RunDetailView): ReasonSegment[] {
  if (run.error === undefined || run.status === 'succeeded') return [];
  if (run.wait !== undefined) return [plain('Waiting: '), ...linkNames(run.error, targetsOfWait(run))];
  return linkNamedStep(run.error, run.steps);
}

/** Links the step that the engine names as the cause; other quoted texts stay plain. */
function linkNamedStep(reason: string, steps: readonly StepRunView[]): ReasonSegment[] {
  const found = readNamedStep(
    reason,
    steps.map(({ name }) => name),
  );
  const step = found && steps.find(({ name }) => name === found.name);
  if (found === undefined || step === undefined) return [plain(reason)];
  return [plain(reason.slice(0, found.from)), targetOfStep(step), plain(reason.slice(found.until))];
}

function targetsOfWait({ wait }: Pick<RunSummaryView, 'wait'>): Target[] {
  if (wait === undefined) return [];
  const queue: Target = {
    text: `queue ${wait.queue}`,
    href: withQuery(paths.queues, { queue: wait.queue }),
  };
  const runs = wait.behind.map(({ name, dagRunId }) => ({
    text: `${name} ${dagRunId}`,
    href: paths.run(name, dagRunId),
  }));
  return [queue, ...runs];
}

const targetOfStep = ({ section, name }: StepRunView): Target => ({ text: name, node: { section, name } });

/**
 * Explains why a step waits, was skipped, failed or was aborted: the engine's message with links to steps, or
 * else what follows from the other steps. Empty for a step that runs or has succeeded.
 */
export function explainStep(run: RunDetailView, step: StepRunView): ReasonSegment[] {
  if (step.status === 'succeeded') return [];
  // The engine's message is for clients without an answer button.
  if (isAsking(step)) return [plain(step.approval?.question ?? '')];
  if (step.waiting !== undefined) return [plain(`Waiting: ${step.waiting}`)];
  if (step.error !== undefined) {
    const others = run.steps.filter(({ name }) => name !== step.name);
    return linkNamedStep(showMoments(step.error, systemClock.now()), others);
  }
  if (step.status !== 'not_started') return [];
  return isFinal(run.status) ? explainNeverRan(run, step) : explainWaiting(run, step);
}

function explainWaiting(run: RunDetailView, step: StepRunView): ReasonSegment[] {
  if (step.section === 'handler') return [plain('Runs later if the outcome requires it')];
  if (run.status !== 'running') return [plain('Waiting for the run to start')];
  const definition = run.workflow.steps.find(({ name }) => name === step.name);
  const open = run.steps.filter(({ name, status }) => definition?.depends.includes(name) && !isFinal(status));
  if (open.length > 0) return [plain('Waiting for '), ...joinSteps(open)];
  const running = run.steps.filter(({ status }) => status === 'running').length;
  const { maxActiveSteps } = run.workflow;
  if (maxActiveSteps > 0 && running >= maxActiveSteps)
    return [plain(`Waiting for a free slot: ${running} of ${maxActiveSteps} steps running (maxActiveSteps)`)];
  return [plain('Starting')];
}

function explainNeverRan(run: RunDetailView, step: StepRunView): ReasonSegment[] {
  if (step.section === 'handler') return [plain(`Not run: does not apply to status ${run.status}`)];
  if (run.onlySteps && !run.onlySteps.includes(step.name)) return [plain('Not selected for this run')];
  const definition = run.workflow.steps.find(({ name }) => name === step.name);
  const broken = run.steps.filter(
    ({ name, status }) => definition?.depends.includes(name) && !isFulfilled(status),
  );
  if (broken.length > 0) return [plain('Not started because of '), ...joinSteps(broken)];
  return [plain('Not started: the run ended first')];
}

const maxNamed = 4;

function joinSteps(steps: readonly StepRunView[]): ReasonSegment[] {
  const named = steps.slice(0, maxNamed).flatMap((step, index) => {
    const before = index === 0 ? [] : [plain(index === steps.length - 1 ? ' and ' : ', ')];
    return [...before, targetOfStep(step)];
  });
  const rest = steps.length - maxNamed;
  return rest > 0 ? [...named, plain(` and ${rest.toLocaleString('en')} more`)] : named;
}
