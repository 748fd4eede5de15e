/** Sends a request and resolves when the response has started; rejects if there is none. Compatible with `fetch`. */
export type Send = (url: string, request: RequestOptions) => Promise<ClientResponse>;

/** A request of the client, a subset of `RequestInit`. */
export interface RequestOptions {
  readonly method?: string;
  readonly headers: Record<string, string>;
  readonly body?: string;
  readonly signal: AbortSignal;
  readonly keepalive?: boolean;
  readonly cache?: 'no-store';
}

/** A response for the client, a subset of `Response`. */
export interface ClientResponse {
  readonly ok: boolean;
  readonly status: number;
  readonly body: ResponseBody | null;
  text(): Promise<string>;
}

/** Response body stream. */
export interface ResponseBody {
  getReader(): { read(): Promise<{ readonly done?: boolean; readonly value?: Uint8Array | undefined }> };
}
