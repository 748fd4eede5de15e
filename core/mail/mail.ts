/** A file attached to a mail. */
export interface Attachment {
  readonly name: string;
  readonly content: Uint8Array;
}

/** A mail as its author wrote it. Addresses may have names, and a string may contain several, separated by commas. */
export interface Mail {
  /** Where its addresses are configured, such as `infoMail`. Default: the configuration of a step. */
  readonly place?: string | undefined;
  readonly from: string;
  readonly to: readonly string[];
  readonly cc?: readonly string[] | undefined;
  readonly bcc?: readonly string[] | undefined;
  readonly replyTo?: string | undefined;
  readonly subject: string;
  readonly text: string;
  /** HTML version of the text. */
  readonly html?: string | undefined;
  readonly attachments?: readonly Attachment[] | undefined;
}

/** A mail that was not or not certainly delivered, with a user-facing message. */
export class MailError extends Error {
  override readonly name = 'MailError';
  /** The server was unreachable or rejected the mail temporarily, so that a retry or another server may succeed. */
  readonly temporary: boolean;

  constructor(message: string, temporary: boolean, options?: ErrorOptions) {
    super(message, options);
    this.temporary = temporary;
  }
}
