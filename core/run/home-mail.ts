import { MailError, resolveServers } from '../executors/smtp/servers.ts';
import type { SmtpResult } from '../executors/smtp/session.ts';
import type { WorkflowSources } from '../home/library/workflow-sources.ts';
import type { Workflow } from '../model/workflow.ts';
import type { Clock } from '../base/clock.ts';
import { getErrorMessage } from '../base/errors.ts';
import type { Smtp } from '../model/settings.ts';
import { requireValidWorkflow } from './run-service.ts';
import { ScopeBuilder } from './values/open-scope.ts';
import type { SystemContext } from './values/resolve-values.ts';
import { StepProperties } from './values/run-scope.ts';

/** Dependencies of emails that belong to no run. */
interface HomeMailDeps {
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
async function openBaseValues({
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

/** A test email; values are unexpanded. */
export interface TestMail {
  readonly server: Smtp;
  readonly from: string;
  readonly to: string;
}

/** The response of the server, or why the email was not sent. */
export interface TestMailResult {
  readonly sent: boolean;
  readonly message: string;
}

/** Time limit in milliseconds. */
const maxMs = 30_000;

const text =
  'This is a test email from Stepwright. The mail server accepted it, so emails about runs can be sent.\n';

/** Creates a function that sends a test email; expressions have the values of the base configuration. */
export const createTestMailer =
  (deps: HomeMailDeps) =>
  async ({ server, from, to }: TestMail): Promise<TestMailResult> => {
    const { clock } = deps;
    // Rejects if the base configuration is invalid.
    const { expand } = await openBaseValues(deps);
    const timeout = new AbortController();
    const dispose = clock.after(maxMs, () =>
      timeout.abort(`within ${maxMs / 1000} s. Check the host and port.`),
    );
    try {
      const servers = await resolveServers([server], expand);
      const mail = { from: await expand(from), to: [to], subject: 'Test email from Stepwright', text };
      const { formatRejectedRecipients, sendMail } = await import('../executors/smtp/send.ts');
      const result = await sendMail(mail, { servers, signal: timeout.signal, at: clock.now() });
      const { host, port } = result.server;
      const rejected = formatRejectedRecipients(result);
      const answer = `${host}:${port} accepted the email: ${result.reply.trim()}`;
      return { sent: true, message: rejected === undefined ? answer : `${answer}. ${rejected}` };
    } catch (error) {
      return { sent: false, message: getErrorMessage(error) };
    } finally {
      dispose();
    }
  };
