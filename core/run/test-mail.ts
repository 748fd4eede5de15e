import type { Clock } from '../base/clock.ts';
import { getErrorMessage } from '../base/errors.ts';
import type { Smtp } from '../model/settings.ts';
import type { WorkflowSources } from '../home/library/workflow-sources.ts';
import { resolveServers } from '../executors/smtp/servers.ts';
import { requireValidWorkflow } from './run-service.ts';
import { ScopeBuilder } from './values/open-scope.ts';
import type { SystemContext } from './values/resolve-values.ts';
import { StepProperties } from './values/run-scope.ts';

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

interface TestMailDeps {
  readonly sources: Pick<WorkflowSources, 'load'>;
  readonly system: SystemContext;
  readonly clock: Clock;
  /** Absolute path of the folder for logs. */
  readonly logs: string;
}

/** Time limit in milliseconds. */
const maxMs = 30_000;

const text =
  'This is a test email from Stepwright. The mail server accepted it, so emails about runs can be sent.\n';

/**
 * Creates a function that sends a test email. Expressions have the values that they have in a run of a workflow without
 * fields: variables, dotenv files and secrets of the base configuration.
 */
export const createTestMailer =
  ({ sources, system, clock, logs }: TestMailDeps) =>
  async ({ server, from, to }: TestMail): Promise<TestMailResult> => {
    const workflow = requireValidWorkflow(await sources.load('name: test-mail\nsteps: [exit]\n'), 0);
    const timeout = new AbortController();
    const dispose = clock.after(maxMs, () =>
      timeout.abort(`within ${maxMs / 1000} s. Check the host and port.`),
    );
    try {
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
      const expand = (value: string): Promise<string> => scope.expand(value, environment);
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
