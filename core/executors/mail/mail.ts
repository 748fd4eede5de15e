import type { JsonObject } from '../../base/json.ts';
import { mailConfig } from '../../model/executors/mail.ts';
import { describeRejectedRecipients, sendMail } from '../../mail/send.ts';
import { resolveServers } from '../../mail/servers.ts';
import { evaluateConfig } from '../evaluate-config.ts';
import type { ActionExecutor } from '../executor.ts';
import { readAttachments } from './attachments.ts';

/** Sends one mail through the mail servers of the workflow. */
export const mailExecutor: ActionExecutor = {
  async run({ expand, smtp, workingDir, clock }, action, { signal, output }) {
    const config = await evaluateConfig(mailConfig, action.config as JsonObject, expand);
    const { from, to, cc, bcc, replyTo, subject = '', message = '', html } = config;
    const servers = await resolveServers(smtp, expand);
    const attachments = await readAttachments(config.attachments ?? [], workingDir, signal);
    const mail = { from, to, cc, bcc, replyTo, subject, text: message, html, attachments };
    const smtpResult = await sendMail(mail, {
      servers,
      signal,
      at: clock.now(),
      onFailover: (sentence) => output.stderr(`${sentence}\n`),
    });
    const { host, port } = smtpResult.server;
    output.stdout(`sent to ${smtpResult.accepted.join(', ')} via ${host}:${port}: ${smtpResult.reply}\n`);
    const errors = describeRejectedRecipients(smtpResult);
    return errors === undefined ? { exitCode: 0 } : { exitCode: 1, error: errors };
  },
};
