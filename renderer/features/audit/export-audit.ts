import type { AuditEntryView } from '../../../core/contract/installation/audit.ts';
import type { Bridge } from '../../../core/contract/transport/bridge.ts';
import type { AuditFilter } from '../../api/queries/operating/audit-queries.ts';
import { describeEntry } from './audit-words.ts';

/** Columns of the export, by their names in the API; the label of the page is last. */
const fields = ['at', 'actor', 'via', 'address', 'operation', 'target', 'outcome'] as const;
/** Entries per response, the maximum of the API. */
const page = 1000;

/**
 * Quotes a field of CSV (RFC 4180). A value that a spreadsheet would evaluate as a formula gets a leading
 * apostrophe.
 */
function quote(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Formats entries as CSV with a header row. */
export const toCsv = (entries: readonly AuditEntryView[]): string =>
  [
    [...fields, 'what'],
    ...entries.map((entry) => [...fields.map((field) => entry[field] ?? ''), describeEntry(entry.operation)]),
  ]
    .map((row) => row.map(quote).join(','))
    .map((line) => `${line}\r\n`)
    .join('');

/** Saves all entries that match a filter as a file. */
export async function exportAudit(bridge: Bridge, filter: AuditFilter): Promise<void> {
  const entries: AuditEntryView[] = [];
  for (let cursor: string | undefined, isFirst = true; isFirst || cursor !== undefined; isFirst = false) {
    const answer = await bridge.call('audit.list', { ...filter, limit: page, cursor });
    entries.push(...answer.entries);
    cursor = answer.nextCursor;
  }
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([toCsv(entries)], { type: 'text/csv' }));
  link.download = 'audit.csv';
  link.click();
  URL.revokeObjectURL(link.href);
}
