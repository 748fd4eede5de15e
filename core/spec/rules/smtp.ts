import { readMailPort } from '../../model/workflow/mail-port.ts';
import type { Report } from '../source/report.ts';
import { findField, fieldOf, textOf, type SourceRef } from '../source/source-node.ts';

/**
 * Warns about mail server settings that cannot work; otherwise the problem would only show when a run has failed and
 * the notification is not sent. Runs work without mail.
 */
export function checkSmtp(source: SourceRef, report: Report): void {
  const servers =
    source.node.kind === 'list'
      ? [...source.node.items.keys()].map((index) => fieldOf(source, index))
      : [source];
  for (const server of servers) {
    const port = findField(server, 'port');
    const text = port === undefined ? '' : textOf(port.node).trim();
    // References can only be checked when the run starts.
    if (port === undefined || text === '' || /[$`]/.test(text) || readMailPort(text) !== undefined) continue;
    report.warning(
      port,
      `Invalid mail port "${text.slice(0, 40)}". Use a number from 1 to 65535, usually 587, or 465 for implicit TLS.`,
    );
  }
}
