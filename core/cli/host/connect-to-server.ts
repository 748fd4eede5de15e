import { openClient } from '../../client/client.ts';
import type { CommandContext, ServerTarget } from '../command-context.ts';
import type { EngineClient } from './host-api.ts';
import { sendRequest } from './send-request.ts';
import { remoteEngine } from './server-host.ts';

/** Connects to a server over HTTP. Nothing is sent before the first call. Throws `bad_request` for an invalid URL. */
export function connectToServer({ url, token }: ServerTarget, context: CommandContext): EngineClient {
  return remoteEngine(
    openClient({ url, token, trace: context.caller.trace, clock: context.clock, fetch: sendRequest }),
    url,
    context,
  );
}
