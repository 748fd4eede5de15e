import type { Clock } from '../base/clock.ts';
import { getErrorMessage } from '../base/errors.ts';
import { failPoint } from '../base/fail-point.ts';
import { type Mail, type MailError, resolveServers } from '../executors/smtp/servers.ts';
import type { NodeId } from '../model/run-event.ts';
import type { RunDetail, RunStatus } from '../model/run.ts';
import type { RunReport } from '../executors/smtp/run-report.ts';
import type { Masker } from '../process/secrets/masker.ts';
import type { RunStore } from '../store/types/runs.ts';
import type { StepScheduler } from './step-scheduler.ts';
import type { RunInput } from './run-input.ts';
import { waitUnlessAborted, type NodeResult } from './steps/node-task.ts';
import type { RunScope, Outputs } from './values/run-scope.ts';
import { mailKey } from './recovery/run-progress.ts';
import { buildRunReport, buildStepReport, type ReportInput, readStepLogs } from './mail-report.ts';
import type { Termination } from './run-handlers.ts';
import { hasReference } from '../spec/parse-template.ts';

/** Pauses before a mail that no server accepted is sent again, in milliseconds. */
const pauses = [1000, 3000] as const;
/** Time limit for all mails of a run, which does not end before, in milliseconds. */
const maxMs = 60_000;

/** Properties of the run that its mails need. */
export interface RunMailInput extends Pick<RunInput, 'workflow' | 'record' | 'previousRun'> {
  readonly end: Omit<FinishedRun, 'results'>;
  readonly stepScheduler: Pick<StepScheduler, 'results' | 'outputs'>;
  /** The run's values; absent when they could not be resolved. */
  readonly scope: RunScope | undefined;
  /** Absolute path of the run's directory. */
  readonly runDir: string;
  readonly masker: Masker;
  readonly clock: Clock;
  /** Aborted when the run is to end at once. */
  readonly killed: AbortSignal;
  /** Gives the stored details of the run, after they are written, when there may be a mail to send. */
  readonly store: Pick<RunStore, 'getDetail'>;
  durable(): Promise<void>;
  note(level: 'info' | 'warning', message: string): void;
  /** Records, once per mail, that it is about to be handed to a server, or that the attempt is over. */
  recordMailing(about: NodeId | undefined, isOver: boolean): void;
}

type Expand = (text: string) => Promise<string>;

/** One mail to send. */
interface MailRequest {
  readonly kind: RunMailKind;
  /** The step that the mail is about; absent: the run as a whole. */
  readonly node?: NodeId;
}

/**
 * Sends the mails of a run at its end: the one of `mailOn`, and one for each failed step with `mailOnError`. The result
 * of each is recorded; a mail that cannot be sent affects nothing else.
 */
export async function sendRunMails(run: RunMailInput): Promise<void> {
  const { workflow } = run;
  const end = { ...run.end, results: run.stepScheduler.results };
  const kind = chooseRunMail(run, end);
  const mayHaveSteps = [...workflow.steps, ...Object.values(workflow.handlers)].some(
    ({ mailOnError }) => mailOnError === true,
  );
  if (kind === undefined && !mayHaveSteps) return;
  await run.durable();
  const detail = (await run.store.getDetail(run.record))!;
  const requests: MailRequest[] = [
    ...listFailedSteps(run, detail.steps).map((node): MailRequest => ({ kind: 'errorMail', node })),
    ...(kind === undefined ? [] : [{ kind }]),
  ];
  if (requests.length > 0) await new Mailing(run, end, detail).send(requests);
}

/** The mails of one run while they are sent. */
class Mailing {
  readonly #run: RunMailInput;
  readonly #input: ReportInput;
  readonly #detail: RunDetail;

  constructor(run: RunMailInput, end: FinishedRun, detail: RunDetail) {
    this.#run = run;
    this.#detail = detail;
    this.#input = { workflow: run.workflow, detail, end, now: run.clock.now() };
  }

  async send(requests: readonly MailRequest[]): Promise<void> {
    const { clock, killed, note } = this.#run;
    const killController = new AbortController();
    const kill = (): void => killController.abort('because the run was killed');
    const dispose = clock.after(maxMs, () =>
      killController.abort(
        `within the time limit of ${maxMs / 1000} s for all emails of the run. Check smtp.host and smtp.port.`,
      ),
    );
    killed.addEventListener('abort', kill, { once: true });
    if (killed.aborted) kill();
    try {
      const { scope, end, stepScheduler } = this.#run;
      const expand = mailExpansion(
        scope?.until(killController.signal),
        end.status,
        stepScheduler.outputs.all,
      );
      for (const [index, options] of requests.entries()) {
        if (await this.#sendOne(options, expand, killController.signal)) continue;
        const remaining = requests.length - index - 1;
        if (remaining > 0)
          note(
            'warning',
            remaining === 1 ? '1 more mail was not sent.' : `${remaining} more emails were not sent.`,
          );
        break;
      }
    } finally {
      dispose();
      killed.removeEventListener('abort', kill);
    }
  }

  /** Returns false when sending further mails would fail too. */
  async #sendOne(options: MailRequest, expand: Expand, signal: AbortSignal): Promise<boolean> {
    const { note, workflow, clock, recordMailing } = this.#run;
    const label = options.node === undefined ? `Email about the run` : `Email about "${options.node.name}"`;
    if (this.#wasStarted(options, label)) return true;
    recordMailing(options.node, false);
    await this.#run.durable();
    try {
      const servers = await resolveServers(workflow.smtp, expand);
      const mail = await this.#compose(options, expand);
      const { formatRejectedRecipients, sendMail } = await import('../executors/smtp/send.ts');
      const onFailover = (sentence: string): void => note('warning', sentence);
      failPoint('mail.before_send');
      const started = await this.#retry(signal, () =>
        sendMail(mail, { servers, signal, at: clock.now(), onFailover }),
      );
      failPoint('mail.sent');
      note('info', `${label} sent to ${started.accepted.join(', ')}.`);
      const errors = formatRejectedRecipients(started);
      if (errors !== undefined) note('warning', errors);
      return true;
    } catch (error) {
      note('warning', `${label} not sent: ${getErrorMessage(error)}`);
      return !signal.aborted && !isTemporary(error);
    } finally {
      recordMailing(options.node, true);
    }
  }

  /**
   * Whether another host has started to send the mail. It is then not sent twice, even if its delivery is uncertain.
   */
  #wasStarted({ node }: MailRequest, label: string): boolean {
    const state = this.#run.previousRun?.inProgress?.mailed.get(mailKey(node));
    if (state === 'unknown') {
      this.#run.note(
        'warning',
        `${label} may not have been sent because the engine stopped at that time. It is not sent again.`,
      );
    }
    return state !== undefined;
  }

  /** Retries as long as that can help. */
  async #retry<Result>(signal: AbortSignal, send: () => Promise<Result>): Promise<Result> {
    for (let tried = 0; ; tried += 1) {
      try {
        return await send();
      } catch (error) {
        const pause = pauses[tried];
        if (pause === undefined || !isTemporary(error)) throw error;
        if (!(await waitUnlessAborted(this.#run.clock, pause, signal))) throw error;
      }
    }
  }

  async #compose({ kind, node }: MailRequest, expand: Expand): Promise<Mail> {
    const { workflow, masker, runDir } = this.#run;
    const { from = '', to = [], prefix = '', attachLogs = false } = workflow[kind] ?? {};
    if (workflow[kind] === undefined || from.trim() === '' || to.length === 0) {
      throw new Error(
        `"${kind}" requires "from" and "to", such as "${kind}: {from: etl@example.com, to: ops@example.com}".`,
      );
    }
    const report =
      node === undefined ? buildRunReport(this.#input, kind) : buildStepReport(this.#input, node);
    const { steps, run } = this.#detail;
    const mailSteps = steps.filter((step) => node === undefined || step.node === node);
    const { attachments, notes } = attachLogs
      ? await readStepLogs(runDir, mailSteps)
      : { attachments: [], notes: [] };
    const maskedReport: RunReport = masker.maskJson({ ...report, notes: [...report.notes, ...notes] });
    const subject =
      node === undefined ? `${run.name} (${this.#run.end.status})` : `${run.name}: ${node.name} (failed)`;
    const { reportHtml } = await import('../executors/smtp/report.ts');
    const { reportText } = await import('../executors/smtp/report.ts');
    return {
      configField: kind,
      from: await expand(from),
      to: await Promise.all(to.map(expand)),
      subject: `${await expand(prefix)} ${subject}`.trim(),
      text: reportText(maskedReport),
      html: reportHtml(maskedReport),
      attachments,
    };
  }
}

const isTemporary = (error: unknown): boolean =>
  error instanceof Error && error.name === 'MailError' && (error as MailError).temporary;

/** How a run is about to end. */
export interface FinishedRun extends Partial<Termination> {
  readonly status: RunStatus;
  /** How each step ended. */
  readonly results: ReadonlyMap<string, NodeResult>;
}

/** The kinds of mails about a run as a whole. */
export type RunMailKind = 'errorMail' | 'infoMail';

/**
 * Chooses the mail that `mailOn` requests for this ending. A run that is partially succeeded because of `continueOn`
 * counts as a failure, because of a sub-run alone as a success. A run that was stopped, or whose conditions were not
 * met, counts as neither. A sub-run does not inherit the base configuration's `mailOn`, nor its handlers.
 */
function chooseRunMail(
  { workflow, record }: Pick<RunInput, 'workflow' | 'record'>,
  end: FinishedRun,
): RunMailKind | undefined {
  const { mailOn, inheritedMailOn } = workflow;
  if (mailOn === undefined || (record.parent !== undefined && inheritedMailOn === true)) return undefined;
  const kind = judge(end);
  if (kind === 'errorMail') return mailOn.failure ? kind : undefined;
  return mailOn.success ? kind : undefined;
}

function judge({ status, cause, results }: FinishedRun): RunMailKind | undefined {
  switch (status) {
    case 'succeeded':
      return 'infoMail';
    case 'partially_succeeded':
      return [...results.values()].some((result) => result.status === 'failed') ? 'errorMail' : 'infoMail';
    case 'failed':
      return 'errorMail';
    case 'aborted':
      return cause === 'init' ? 'errorMail' : undefined;
    case 'not_started':
    case 'queued':
    case 'running':
      return undefined;
  }
}

/**
 * Whether the step's end is older than the retry, so that it was already reported. A takeover keeps the reports that
 * are still due.
 */
const wasReported = (previousRun: RunInput['previousRun'], step: string): boolean =>
  previousRun?.reusedResults.has(step) === true && previousRun.inProgress?.ended.has(step) !== true;

/** Lists the steps and handlers with `mailOnError` that have failed since the run was started or retried. */
function listFailedSteps(
  { workflow, previousRun }: Pick<RunInput, 'workflow' | 'previousRun'>,
  steps: RunDetail['steps'],
): NodeId[] {
  const handlers = Object.values(workflow.handlers);
  const reportedNames = new Set(
    [
      ...workflow.steps.map((step) => ['step', step] as const),
      ...handlers.map((step) => ['handler', step] as const),
    ]
      .filter(([, step]) => step.mailOnError === true)
      .map(([section, { name }]) => `${section}:${name}`),
  );
  return steps
    .filter(({ node, status }) => status === 'failed' && reportedNames.has(`${node.section}:${node.name}`))
    .filter(({ node: { section, name } }) => section === 'handler' || !wasReported(previousRun, name))
    .map(({ node }) => node);
}

/**
 * Expands mail templates with the values that the handlers of a run see. A run whose values could not be resolved has
 * none: templates without references are then used as they are, others are rejected.
 */
function mailExpansion(
  scope: RunScope | undefined,
  status: RunStatus,
  outputs: Outputs,
): (text: string) => Promise<string> {
  let environment: Promise<Record<string, string>> | undefined;
  return async (text) => {
    if (!hasReference(text)) return text;
    if (scope === undefined)
      throw new Error(`cannot resolve the values of the run for "${text.slice(0, 80)}"`);
    environment ??= scope.stepEnvironment([], outputs, { DAG_RUN_STATUS: status });
    return scope.expand(text, await environment);
  };
}
