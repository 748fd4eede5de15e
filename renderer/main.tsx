import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { AppError } from '../core/base/errors.ts';
import { errorCodes } from '../core/base/error-codes.ts';
import { BridgeProvider, pickBridge } from './api/bridge.ts';
import { LiveEvents, LiveEventsProvider } from './api/live-events.ts';
import { SessionBridge, Session, SessionProvider } from './api/session.ts';
import { App } from './app/app.tsx';
import { systemClock } from './base/clock.ts';
import { restoreScroll } from './app/restore-scroll.ts';
import { applyPreferences, followPreferences } from './base/preferences.ts';
import { loadChunk } from './base/lazy-component.ts';
import './styles/tokens.css';
import './styles/base.css';

/** Delay, so that the first page takes precedence. */
const warmUpAfterMs = 1500;

/** Whether a retry may help; errors would only be repeated. */
const mayHelp = (failures: number, error: unknown): boolean =>
  failures < 4 && (!(error instanceof AppError) || errorCodes[error.code].retryable);

async function start(root: HTMLElement): Promise<void> {
  applyPreferences();
  followPreferences();
  const direct = await pickBridge(systemClock);
  // A desktop user has access to the machine; only a server may require sign-in.
  const session = new Session(direct.transport === 'http' ? 'unknown' : undefined);
  const bridge = new SessionBridge(direct, session);
  const cache = new QueryClient({
    // Live events report when data is out of date.
    defaultOptions: { queries: { staleTime: 60_000, refetchOnWindowFocus: true, retry: mayHelp } },
  });
  const live = new LiveEvents(bridge, cache, systemClock);
  live.start();
  if (direct.desktop) restoreScroll(systemClock);
  createRoot(root).render(
    <StrictMode>
      <BridgeProvider value={bridge}>
        <QueryClientProvider client={cache}>
          <LiveEventsProvider value={live}>
            <SessionProvider value={session}>
              <App />
            </SessionProvider>
          </LiveEventsProvider>
        </QueryClientProvider>
      </BridgeProvider>
    </StrictMode>,
  );
  systemClock.after(
    warmUpAfterMs,
    () => void loadChunk(() => import('./graph/compute-layout.ts')).then((graph) => graph.warmUpLayout()),
  );
}

void start(document.getElementById('root')!);
