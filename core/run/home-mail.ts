import { MailError, resolveServers } from '../executors/smtp/servers.ts';
import type { SmtpResult } from '../executors/smtp/session.ts';
import type { WorkflowLibrary } from '../home/library/workflow-library.ts';
import type { Workflow } from '../model/workflow.ts';
import type { Clock } from '../base/clock.ts';
import { getErrorMessage } from '../base/errors.ts';
import type { Smtp } from '../model/settings.ts';
import { requireValidWorkflow } from './run-service.ts';
import { ScopeBuilder } from './values/open-scope.ts';
import type { SystemContext } from './values/resolve-values.ts';
import { StepProperties } from './values/run-scope.ts';

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

const testText =
  'This is a test email from Stepwright. The mail server accepted it, so emails about runs can be sent.\n';

/** Sends emails that belong to no run, through the mail server of the base configuration. */
export class HomeMailer {
  readonly #library: Pick<WorkflowLibrary, 'load'>;
  readonly #system: SystemContext;
  readonly #clock: Clock;
  readonly #logs: string;

  /** @param logs absolute path of the folder for logs */
  constructor(library: Pick<WorkflowLibrary, 'load'>, system: SystemContext, clock: Clock, logs: string) {
    this.#library = library;
    this.#system = system;
    this.#clock = clock;
    this.#logs = logs;
  }

  readonly send: SendHomeMail = async (mail, signal) => {
    const { workflow, expand } = await this.#openBaseValues();
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
    return sendMail({ ...mail, from: await expand(from) }, { servers, signal, at: this.#clock.now() });
  };

  /** Sends a test email; expressions have the values of the base configuration. */
  readonly sendTest = async ({ server, from, to }: TestMail): Promise<TestMailResult> => {
    // Rejects if the base configuration is invalid.
    const { expand } = await this.#openBaseValues();
    const timeout = new AbortController();
    const dispose = this.#clock.after(maxMs, () =>
      timeout.abort(`within ${maxMs / 1000} s. Check the host and port.`),
    );
    try {
      const servers = await resolveServers([server], expand);
      const mail = {
        from: await expand(from),
        to: [to],
        subject: 'Test email from Stepwright',
        text: testText,
      };
      const { formatRejectedRecipients, sendMail } = await import('../executors/smtp/send.ts');
      const result = await sendMail(mail, { servers, signal: timeout.signal, at: this.#clock.now() });
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

  /**
   * Opens the base configuration for an email. Expressions have the values that they have in a run of a workflow
   * without fields: variables, dotenv files and secrets of the base configuration.
   */
  async #openBaseValues(): Promise<{ workflow: Workflow; expand: (text: string) => Promise<string> }> {
    const workflow = requireValidWorkflow(await this.#library.load('name: mail\nsteps: [exit]\n'), 0);
    const { scope } = await new ScopeBuilder({
      record: { name: workflow.name, dagRunId: '' },
      params: [],
      workflow,
      specFile: undefined,
      system: this.#system,
      inherited: undefined,
      steps: new StepProperties([]),
    }).open(this.#logs);
    const environment = await scope.stepEnvironment([], new Map(), {});
    return { workflow, expand: (text) => scope.expand(text, environment) };
  }
}
