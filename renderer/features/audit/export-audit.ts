import type { AuditEntryView } from '../../../core/contract/installation/audit.ts';
import type { Bridge } from '../../../core/contract/transport/bridge.ts';
import type { AuditFilter } from '../../api/queries/operating/audit-queries.ts';
import { describeEntry } from './audit-words.ts';

/** What an entry has, by the names that scripts know; the words of the page stand last. */
const fields = ['at', 'actor', 'via', 'address', 'operation', 'target', 'outcome'] as const;
/** Entries of an answer, the most there can be. */
const page = 1000;

/** A field of CSV (RFC 4180). One that a spreadsheet would take for a formula begins with an apostrophe. */
function quote(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Entries as CSV, with a first line of names. */
export const toCsv = (entries: readonly AuditEntryView[]): string =>
  [
    [...fields, 'what'],
    ...entries.map((entry) => [...fields.map((field) => entry[field] ?? ''), describeEntry(entry.operation)]),
  ]
    .map((row) => row.map(quote).join(','))
    .map((line) => `${line}\r\n`)
    .join('');

/** Saves everything that passes a filter as a file. */
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
