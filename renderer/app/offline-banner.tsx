import { useEffect } from 'react';
import { useLocation } from 'wouter';
import { Unplug } from 'lucide-react';
import type { OperationOutput } from '../../core/contract/operations.ts';
import { useBridge } from '../api/bridge.ts';
import { useConnection } from '../api/connection.ts';
import { formatDuration } from '../format/time.ts';
import { showToast } from '../ui/toasts.tsx';
import { systemClock } from '../base/clock.ts';
import { paths } from '../navigation/address.ts';
import styles from './shell.module.css';

const maxCounted = 100;

type Runs = OperationOutput<'runs.list'>;

/** Summarizes what happened while the connection was lost: `3 runs began, 1 of them failed.` */
export function notifyMissedRuns({ dagRuns, nextCursor }: Runs): string {
  const count = `${dagRuns.length}${nextCursor === undefined ? '' : ' or more'}`;
  const failed = dagRuns.filter(({ status }) => status === 'failed').length;
  const runs = dagRuns.length === 1 ? 'run' : 'runs';
  return `${count} ${runs} started${failed === 0 ? '' : `, ${failed} failed`}.`;
}

/** Announces missed events once the engine is reachable again; the page itself refetches in any case. */
function useMissedRunsToast(): void {
  const bridge = useBridge();
  const [, go] = useLocation();
  useEffect(() => {
    let lostAt: number | undefined;
    const catchUp = async (since: number): Promise<void> => {
      const away = formatDuration(systemClock.now() - since);
      const fromDate = new Date(since).toISOString();
      const missed = await bridge.call('runs.list', { fromDate, limit: maxCounted });
      if (missed.dagRuns.length === 0)
        showToast('info', `Reconnected after ${away}. No runs started in the meantime.`);
      else
        showToast('info', `Reconnected after ${away}. ${notifyMissedRuns(missed)}`, {
          label: 'View runs',
          run: () => go(paths.runs),
        });
    };
    return useConnection.subscribe(({ state }, before) => {
      if (state === 'reconnecting') lostAt ??= systemClock.now();
      if (state !== 'online' || before.state === 'online' || lostAt === undefined) return;
      // The summary is optional; the page reports its own errors.
      catchUp(lostAt).catch(() => undefined);
      lostAt = undefined;
    });
  }, [bridge, go]);
}

/**
 * Banner over the bottom of the page while the engine is unreachable; it moves nothing and covers neither
 * titles nor actions.
 */
export function OfflineBanner() {
  useMissedRunsToast();
  const isLost = useConnection(({ state }) => state === 'reconnecting');
  if (!isLost) return null;
  return (
    <div className={styles.offline} role="status">
      <Unplug size={16} aria-hidden="true" />
      <span>
        <strong>Disconnected from the engine.</strong> This page may be out of date. It updates when the
        connection is restored.
      </span>
    </div>
  );
}
