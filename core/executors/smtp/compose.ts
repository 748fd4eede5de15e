import addressParser from 'nodemailer/lib/addressparser';
import MailComposer from 'nodemailer/lib/mail-composer';
import { truncate } from '../../base/text.ts';
import { MailError, type Mail } from './servers.ts';

/** A mail as it is sent over SMTP. */
export interface ComposedMail {
  readonly from: string;
  /** Addresses of all recipients, without duplicates. */
  readonly recipients: readonly string[];
  readonly raw: Buffer;
}

/**
 * Builds the message of a mail. Line breaks in a subject or address become spaces, to prevent header injection.
 * Rejects with a `MailError` naming an invalid address.
 * @param at date of the mail, epoch milliseconds
 */
export async function composeMail(mail: Mail, at: number): Promise<ComposedMail> {
  const prefix = mail.configField === undefined ? '' : `${mail.configField}.`;
  const [from, ...others] = readAddresses([mail.from], `${prefix}from`);
  if (from === undefined || others.length > 0)
    throw new MailError(
      `"${prefix}from" must be a single address, but is "${truncate(mail.from, 80)}".`,
      false,
    );
  const to = readAddresses(mail.to, `${prefix}to`);
  if (to.length === 0) throw new MailError(`"${prefix}to" is empty. Add the address of a recipient.`, false);
  const cc = readAddresses(mail.cc ?? [], 'cc');
  const bcc = readAddresses(mail.bcc ?? [], 'bcc');
  const replyTo = readAddresses(mail.replyTo === undefined ? [] : [mail.replyTo], 'replyTo');
  const composer = new MailComposer({
    from,
    to,
    cc,
    replyTo,
    subject: mail.subject.replaceAll(/[\r\n]+/g, ' ').trim(),
    date: new Date(at),
    text: mail.text,
    ...(mail.html === undefined ? {} : { html: mail.html }),
    attachments: (mail.attachments ?? []).map(({ name, content }) => ({
      filename: name.replaceAll(/[\r\n]+/g, ' '),
      content: Buffer.from(content),
    })),
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const recipients = [...new Set([...to, ...cc, ...bcc].map(({ address }) => address))];
  return { from: from.address, recipients, raw: await composer.compile().build() };
}

/** A mailbox: a name, which may be empty, and an address. */
interface Mailbox {
  readonly name: string;
  readonly address: string;
}

function readAddresses(texts: readonly string[], field: string): Mailbox[] {
  const nonEmpty = texts.map((text) => text.replaceAll(/[\r\n]+/g, ' ').trim()).filter((text) => text !== '');
  return nonEmpty.flatMap((text) =>
    addressParser(text, { flatten: true }).map(({ name, address }) => {
      // One `@` in the middle, and no character that could break an SMTP command.
      if (!/^[^\s@<>\p{Cc}]+@[^\s@<>\p{Cc}]+$/u.test(address))
        throw new MailError(
          `Invalid email address "${truncate(address || name || text, 80)}" in "${field}". Use an address such as ops@example.com.`,
          false,
        );
      return { name, address };
    }),
  );
}
