import { getErrorMessage } from '../base/errors.ts';
import { resolveServers } from '../executors/smtp/servers.ts';
import type { Smtp } from '../model/settings.ts';
import { type HomeMailDeps, openBaseValues } from './home-mail.ts';

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
