/** Sends a request of the client and resolves once the answer has begun; rejects when there is none. `fetch` is one. */
export type Send = (url: string, request: SentRequest) => Promise<Answer>;

/** What the client asks of a request, in the words of `RequestInit`. */
export interface SentRequest {
  readonly method?: string;
  readonly headers: Record<string, string>;
  readonly body?: string;
  readonly signal: AbortSignal;
  readonly keepalive?: boolean;
  readonly cache?: 'no-store';
}

/** What the client takes of an answer, in the words of `Response`. */
export interface Answer {
  readonly ok: boolean;
  readonly status: number;
  readonly body: AnswerBody | null;
  text(): Promise<string>;
}

/** The bytes of an answer as they come. */
export interface AnswerBody {
  getReader(): { read(): Promise<{ readonly done?: boolean; readonly value?: Uint8Array | undefined }> };
}
