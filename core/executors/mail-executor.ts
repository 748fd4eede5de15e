import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import type { JsonObject } from '../base/json.ts';
import { mailConfig } from '../model/executor-config.ts';
import { explainFsError } from '../base/errors.ts';
import { formatRejectedRecipients, sendMail } from './smtp/send.ts';
import { resolveServers, type Attachment } from './smtp/servers.ts';
import { evaluateConfig } from './evaluate-config.ts';
import type { ActionExecutor } from './executor.ts';

/** Sends one mail through the mail servers of the workflow. */
export const executor: ActionExecutor = {
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
    const errors = formatRejectedRecipients(smtpResult);
    return errors === undefined ? { exitCode: 0 } : { exitCode: 1, error: errors };
  },
};

/** Maximum total size of attachments in bytes; most servers accept less than half of it. */
const maxBytes = 50 * 1024 * 1024;

/**
 * Reads the attachments. Rejects with an error that names a file that is missing, not a file, or over the size limit.
 * @param folder base of relative paths
 */
async function readAttachments(
  files: readonly string[],
  folder: string,
  signal: AbortSignal,
): Promise<Attachment[]> {
  const paths = files.map((file) => file.trim()).filter((file) => file !== '');
  const read: Attachment[] = [];
  let total = 0;
  for (const file of paths) {
    const filePath = path.resolve(folder, file);
    total += await getSize(filePath);
    if (total > maxBytes) {
      throw new Error(
        `Email not sent: the attachments exceed ${maxBytes / 1024 / 1024} MiB with ${filePath}. Send a link to the file instead.`,
      );
    }
    read.push({ name: path.basename(filePath), content: await readFile(filePath, { signal }) });
  }
  return read;
}

async function getSize(filePath: string): Promise<number> {
  const stats = await stat(filePath).catch((error: NodeJS.ErrnoException) => {
    const reason =
      error.code === 'ENOENT' ? 'does not exist' : `cannot be read (${explainFsError(error).problem})`;
    throw new Error(`Email not sent: the attachment ${filePath} ${reason}. Check config.attachments.`);
  });
  if (stats.isFile()) return stats.size;
  throw new Error(
    `Email not sent: the attachment ${filePath} is not a file. Attach a file, or pack the folder first.`,
  );
}
