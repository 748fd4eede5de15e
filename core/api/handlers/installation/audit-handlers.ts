import { auditLimits } from '../../../audit/ports.ts';
import { toIso } from '../../../base/clock.ts';
import { parseCursor } from '../cursor.ts';
import type { HandlersFor } from '../handlers.ts';
import { parseTimestamp } from '../parse-timestamp.ts';

const defaultPageSize = 50;
const retention = { days: auditLimits.ageMs / 86_400_000, entries: auditLimits.entries };

/** Operations on the audit log. */
export const auditHandlers: HandlersFor<'audit.list'> = {
  'audit.list': ({ fromDate, toDate, limit = defaultPageSize, cursor, ...filter }, { audit }) => {
    const { entries, next } = audit.list({
      ...filter,
      from: parseTimestamp('fromDate', fromDate),
      before: parseTimestamp('toDate', toDate),
      beforeId: parseCursor(cursor),
      limit,
    });
    return {
      entries: entries.map(({ at, ...entry }) => ({ ...entry, at: toIso(at) })),
      ...(next !== undefined && { nextCursor: String(next) }),
      kept: retention,
    };
  },
};
