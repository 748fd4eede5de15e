import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render } from '@testing-library/react';
import { Router } from 'wouter';
import { memoryLocation } from 'wouter/memory-location';
import type {
  OperationOutput,
  OperationInput,
  OperationName,
  StreamInput,
  StreamItem,
  StreamName,
} from '../../core/contract/operations.ts';
import { BridgeProvider } from '../../renderer/api/bridge.ts';
import { SessionBridge, Session, SessionProvider } from '../../renderer/api/session.ts';
import { ToastRegion } from '../../renderer/ui/toasts.tsx';
import type { Dispose } from '../../core/base/clock.ts';
import type { Bridge, StreamObserver } from '../../core/contract/transport.ts';

/**
 * Renders a part of the window as the application does: with a session, a cache, a URL and toasts.
 * @param page `asking` is `unknown` for a page served by a server; `path` is its route
 */
export function renderWith(
  bridge: FakeBridge,
  content: React.ReactNode,
  { asking, path = '/' }: { readonly asking?: 'unknown'; readonly path?: string } = {},
) {
  const session = new Session(asking);
  const location = memoryLocation({ path, record: true });
  render(
    <BridgeProvider value={new SessionBridge(bridge, session)}>
      <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
        <SessionProvider value={session}>
          <Router hook={location.hook}>
            {content}
            <ToastRegion />
          </Router>
        </SessionProvider>
      </QueryClientProvider>
    </BridgeProvider>,
  );
  return { session, location };
}

const at = '2026-01-01T00:00:00.000Z';

export const makeUserView = (
  username: string,
  role: OperationOutput<'auth.me'>['role'] = 'viewer',
): OperationOutput<'users.get'> => ({ id: `id-${username}`, username, role, createdAt: at, updatedAt: at });

/** The response of `auth.me` for a user who signed in with a password. */
export const makeCurrentUser = (
  username: string,
  role: OperationOutput<'auth.me'>['role'] = 'viewer',
): OperationOutput<'auth.me'> => ({
  name: username,
  role,
  via: 'session',
  user: makeUserView(username, role),
  expiresAt: '2126-01-01T00:00:00.000Z',
});

/** The response of `auth.info` of a server with users. */
export const builtinInfo: OperationOutput<'auth.info'> = {
  mode: 'builtin',
  required: true,
  logins: [{ kind: 'password' }],
  setupNeeded: false,
  signedIn: false,
};

type Answers = {
  [Name in OperationName]?: (
    input: OperationInput<Name>,
  ) => OperationOutput<Name> | Promise<OperationOutput<Name>>;
};

/** A fake engine behind the bridge: its responses and pushes are set by the test. */
export class FakeBridge implements Bridge {
  readonly transport = 'direct';
  readonly calls: { readonly name: OperationName; readonly input: unknown }[] = [];
  readonly answers: Answers;
  readonly #observers = new Map<StreamName, Set<StreamObserver<never>>>();

  constructor(answers: Answers) {
    this.answers = answers;
  }

  async call<Name extends OperationName>(
    name: Name,
    input: OperationInput<Name>,
  ): Promise<OperationOutput<Name>> {
    this.calls.push({ name, input });
    const answer = this.answers[name];
    if (!answer) throw new Error(`the test gave no answer for ${name}`);
    return answer(input);
  }

  follow<Name extends StreamName>(
    name: Name,
    _input: StreamInput<Name>,
    observer: StreamObserver<StreamItem<Name>>,
  ): Dispose {
    const observers = this.#observers.get(name) ?? new Set();
    this.#observers.set(name, observers.add(observer));
    return () => observers.delete(observer);
  }

  /** Sends an item to all followers of the stream. */
  push<Name extends StreamName>(name: Name, item: StreamItem<Name>): void {
    for (const observer of this.#observers.get(name) ?? []) observer.item(item as never);
  }

  followers(name: StreamName): number {
    return this.#observers.get(name)?.size ?? 0;
  }

  callsOf(name: OperationName): readonly unknown[] {
    return this.calls.filter((call) => call.name === name).map(({ input }) => input);
  }
}
