/** A file of a mail. */
export interface Attachment {
  readonly name: string;
  readonly content: Uint8Array;
}

/** A mail as its author wrote it. Addresses may have names, and a text may hold several with commas in between. */
export interface Mail {
  /** Where its addresses stand, such as `infoMail`; in the configuration of a step when absent. */
  readonly place?: string | undefined;
  readonly from: string;
  readonly to: readonly string[];
  readonly cc?: readonly string[] | undefined;
  readonly bcc?: readonly string[] | undefined;
  readonly replyTo?: string | undefined;
  readonly subject: string;
  readonly text: string;
  /** The same for programs that show HTML. */
  readonly html?: string | undefined;
  readonly attachments?: readonly Attachment[] | undefined;
}

/** A mail that did not arrive, or not for certain, with a sentence for people. */
export class MailError extends Error {
  override readonly name = 'MailError';
  /** The server could not be reached or refused for the time being, so that it or another may take the mail. */
  readonly temporary: boolean;

  constructor(message: string, temporary: boolean, options?: ErrorOptions) {
    super(message, options);
    this.temporary = temporary;
  }
}
