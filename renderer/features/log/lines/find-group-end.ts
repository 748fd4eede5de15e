import type { Bridge } from '../../../../core/contract/transport/bridge.ts';
import { groupMarkerPattern } from './group-line.ts';
import type { LogRef } from '../reading/log-line-cache.ts';

/**
 * Returns the last line of the group that a line begins: its `::endgroup::`, or the line before the next group,
 * because the format does not nest groups; otherwise the end of the log.
 */
export function findGroupEnd(
  bridge: Bridge,
  address: LogRef,
  { line, total }: { readonly line: number; readonly total: number },
): Promise<number> {
  return new Promise((resolve) => {
    const finish = (last: number): void => {
      stop();
      resolve(last);
    };
    const stop = bridge.follow(
      'logs.search',
      { ...address, query: groupMarkerPattern, regex: true, from: line + 1, limit: 1 },
      {
        item({ hits }) {
          const [next] = hits;
          if (!next) return;
          const [, end = 0] = next.columns[0] ?? [];
          finish(end >= '::endgroup::'.length ? next.line : next.line - 1);
        },
        end: () => finish(total - 1),
      },
    );
  });
}
