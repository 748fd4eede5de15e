import { readOrigin } from '../protocol/scheme-urls.ts';
import type { Page } from './page.ts';

type Send = (channel: string, ...args: unknown[]) => void;

/** Electron's `WebFrameMain` for the one frame that has a preload. */
export class MainFrame {
  readonly routingId = 1;
  readonly processId = 1;
  readonly name = '';
  readonly parent = null;
  readonly detached = false;
  readonly frameTreeNodeId: number;
  readonly #page: Page;
  readonly #send: Send;

  constructor(id: number, page: Page, send: Send) {
    this.frameTreeNodeId = id;
    this.#page = page;
    this.#send = send;
  }

  get top(): MainFrame {
    return this;
  }

  get url(): string {
    return this.#page.url;
  }

  get origin(): string {
    return readOrigin(this.#page.url);
  }

  send(channel: string, ...args: unknown[]): void {
    this.#send(channel, ...args);
  }

  executeJavaScript(code: string): Promise<unknown> {
    return this.#page.evaluate(code);
  }
}
