import { MailError, resolveServers } from '../executors/smtp/servers.ts';
import type { SmtpResult } from '../executors/smtp/session.ts';
import type { WorkflowSources } from '../home/library/workflow-sources.ts';
import type { Workflow } from '../model/workflow.ts';
import type { Clock } from '../base/clock.ts';
import { requireValidWorkflow } from './run-service.ts';
import { ScopeBuilder } from './values/open-scope.ts';
import type { SystemContext } from './values/resolve-values.ts';
import { StepProperties } from './values/run-scope.ts';

/** Dependencies of emails that belong to no run. */
export interface HomeMailDeps {
  readonly sources: Pick<WorkflowSources, 'load'>;
  readonly system: SystemContext;
  readonly clock: Clock;
  /** Absolute path of the folder for logs. */
  readonly logs: string;
}

/**
 * Opens the base configuration for an email. Expressions have the values that they have in a run of a workflow without
 * fields: variables, dotenv files and secrets of the base configuration.
 */
export async function openBaseValues({
  sources,
  system,
  logs,
}: HomeMailDeps): Promise<{ workflow: Workflow; expand: (text: string) => Promise<string> }> {
  const workflow = requireValidWorkflow(await sources.load('name: mail\nsteps: [exit]\n'), 0);
  const { scope } = await new ScopeBuilder({
    record: { name: workflow.name, dagRunId: '' },
    params: [],
    workflow,
    specFile: undefined,
    system,
    inherited: undefined,
    steps: new StepProperties([]),
  }).open(logs);
  const environment = await scope.stepEnvironment([], new Map(), {});
  return { workflow, expand: (text) => scope.expand(text, environment) };
}

/** An email that belongs to no run. */
export interface HomeMail {
  /** Default: the sender of emails about runs in the base configuration. */
  readonly from: string | undefined;
  readonly to: readonly string[];
  readonly subject: string;
  readonly text: string;
}

/** Sends an email. Rejects with a `MailError`. */
export type SendHomeMail = (mail: HomeMail, signal: AbortSignal) => Promise<SmtpResult>;

/** Creates a function that sends emails through the mail server of the base configuration. */
export const createHomeMailer =
  (deps: HomeMailDeps): SendHomeMail =>
  async (mail, signal) => {
    const { workflow, expand } = await openBaseValues(deps);
    const { smtp, errorMail, infoMail } = workflow;
    if (smtp === undefined || smtp.length === 0)
      throw new MailError(
        'There is no mail server. Set it in Settings › Installation, or as "smtp" in base.yaml.',
        false,
      );
    const from = mail.from ?? errorMail?.from ?? infoMail?.from;
    if (from === undefined)
      throw new MailError(
        'There is no sender. Set it in the channel, in Settings › Installation, or as "errorMail.from" in base.yaml.',
        false,
      );
    const servers = await resolveServers(smtp, expand);
    const { sendMail } = await import('../executors/smtp/send.ts');
    return sendMail({ ...mail, from: await expand(from) }, { servers, signal, at: deps.clock.now() });
  };
