import { Link } from 'wouter';
import type { RunDetailView, StepRunView, RunSummaryView } from '../../../core/contract/run-views.ts';
import { readNamedStep } from '../../../core/model/run-event.ts';
import { isFinal, isFulfilled } from '../../../core/model/run.ts';
import type { WaitKind } from '../../../core/model/queue.ts';
import { isAsking, shortenRunIds } from '../../format/values.ts';
import type { NodeRef } from '../../graph/workflow-graph.tsx';
import { paths, withQuery } from '../../navigation/address.ts';
import { systemClock } from '../../base/clock.ts';
import { formatTimestampsIn } from '../../format/time.ts';
import { isActive, statusLabels } from '../../format/labels.ts';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/state.tsx';
import styles from './run.module.css';

/** Lists every node of a run, steps first. */
const listNodes = (run: RunDetailView): StepRunView[] => [...run.steps, ...run.handlers];

/** Finds the node of a reference. */
export const findNode = (run: RunDetailView, ref: NodeRef | undefined): StepRunView | undefined =>
  ref && listNodes(run).find(({ section, name }) => section === ref.section && name === ref.name);

/**
 * Returns the step to show first: one that waits for approval, otherwise a failed one, a running one, or the
 * last to finish.
 */
export function findNodeToShow(run: RunDetailView): NodeRef | undefined {
  const nodes = listNodes(run);
  const failed = nodes.find(({ status }) => status === 'failed');
  const running = nodes.find(({ status }) => status === 'running');
  const ended = nodes
    .filter(({ attempts }) => attempts.length > 0)
    .sort((left, right) => (left.finishedAt ?? '').localeCompare(right.finishedAt ?? ''))
    .at(-1);
  const found = nodes.find(isAsking) ?? failed ?? running ?? ended ?? nodes[0];
  return found && { section: found.section, name: found.name };
}

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
  if (run.wait !== undefined) return [plain('Waiting: '), ...linkNames(run.error, getWaitTargets(run))];
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
  return [plain(reason.slice(0, found.from)), getStepTarget(step), plain(reason.slice(found.until))];
}

function getWaitTargets({ wait }: Pick<RunSummaryView, 'wait'>): Target[] {
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

const getStepTarget = ({ section, name }: StepRunView): Target => ({ text: name, node: { section, name } });

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
    return linkNamedStep(formatTimestampsIn(step.error, systemClock.now()), others);
  }
  if (step.status !== 'not_started') return [];
  return isFinal(run.status) ? explainNeverRan(run, step) : explainWaiting(run, step);
}

function explainWaiting(run: RunDetailView, step: StepRunView): ReasonSegment[] {
  if (step.section === 'handler') return [plain('Runs later, depending on the run status')];
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
  if (step.section === 'handler')
    return [plain(`Not run: the run status is ${statusLabels[run.status].toLowerCase()}`)];
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
    return [...before, getStepTarget(step)];
  });
  const rest = steps.length - maxNamed;
  return rest > 0 ? [...named, plain(` and ${rest.toLocaleString('en')} more`)] : named;
}

interface ReasonTextProps {
  readonly segments: readonly ReasonSegment[];
  /** Goes to a step; without it, steps are not links. */
  readonly onSelect?: ((node: NodeRef) => void) | undefined;
}

/** A sentence with links to the pages and steps that it names. */
export function ReasonText({ segments, onSelect }: ReasonTextProps) {
  return segments.map(({ text, href, node }, index) => {
    // The parts of a sentence have no identity and keep their positions.
    if (href !== undefined)
      return (
        <Link key={index} href={href} dir="auto" title={text}>
          {shortenRunIds(text)}
        </Link>
      );
    if (node !== undefined && onSelect)
      return (
        <button key={index} type="button" className={styles.step} dir="auto" onClick={() => onSelect(node)}>
          {text}
        </button>
      );
    return <span key={index}>{text}</span>;
  });
}

const needsUser: readonly WaitKind[] = ['no_host', 'no_worker', 'off', 'paused'];

/** Waiting is normal, unless it needs an action. */
const waitTone = (kind: WaitKind): 'info' | 'warning' => (needsUser.includes(kind) ? 'warning' : 'info');

interface RunReasonProps {
  readonly run: RunDetailView;
  readonly onSelect: (node: NodeRef) => void;
}

/** Why the run waits, was stopped or did not succeed, in one sentence at the top of the page. */
export function RunReason({ run, onSelect }: RunReasonProps) {
  if (isActive(run) && run.stopRequestedBy !== undefined)
    return (
      <Notice tone="warning">
        Stop requested by {run.stopRequestedBy}. Steps have up to {run.workflow.maxCleanUpTimeSec} s to clean
        up.
      </Notice>
    );
  const segments = explainRun(run);
  if (segments.length === 0) return null;
  const sentence = <ReasonText segments={segments} onSelect={onSelect} />;
  if (isActive(run))
    return <Notice tone={run.wait === undefined ? 'warning' : waitTone(run.wait.kind)}>{sentence}</Notice>;
  const failed = listNodes(run).find(({ status }) => status === 'failed');
  return (
    <Notice
      tone={run.status === 'failed' ? 'error' : 'warning'}
      action={
        failed && (
          <Button size="small" onPress={() => onSelect(failed)}>
            Show{' '}
            <span className={styles.name} dir="auto" title={failed.name}>
              {failed.name}
            </span>
          </Button>
        )
      }
    >
      {sentence}
    </Notice>
  );
}
