import type { WebFrameMain } from 'electron';

const frame = (origin: string, parent: WebFrameMain | null = null): WebFrameMain =>
  ({ origin, parent }) as WebFrameMain;

/** Possible senders of a message, as described by Electron. Only `own` is trusted. */
export const frames = {
  own: frame('app://stepwright'),
  'a frame inside our page': frame('app://stepwright', frame('app://stepwright')),
  'of another host': frame('app://other'),
  'of a host that begins like ours': frame('app://stepwright.example'),
  'a web page': frame('https://stepwright'),
  'a file': frame('file://'),
  opaque: frame('null'),
  'gone already': null,
} satisfies Record<string, WebFrameMain | null>;
