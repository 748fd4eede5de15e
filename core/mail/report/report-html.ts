import { escapeMarkup } from '../../base/text/escape-markup.ts';
import { summaryFields, listSteps, type RunReport } from './run-report.ts';

const font = 'font-family:-apple-system,Segoe UI,Helvetica,Arial,sans-serif;font-size:14px;color:#1f2933';
const cellStyle = 'padding:4px 12px 4px 0;text-align:left;vertical-align:top';
const line = `${cellStyle};border-bottom:1px solid #d9e0e6`;

/** Formats a report as HTML: everything is escaped, styles are inline, and nothing is loaded from the network. */
export function reportHtml(report: RunReport): string {
  const colour = report.tone === 'good' ? '#1a7f37' : '#b42318';
  const summaryRows = summaryFields(report).map(
    ([label, text]) => `<tr><th style="${cellStyle};color:#5b6770">${label}</th>${td(text, cellStyle)}</tr>`,
  );
  return [
    '<!doctype html>',
    `<html><body style="${font};margin:24px">`,
    `<h2 style="color:${colour};font-size:18px">${escapeMarkup(report.headline)}</h2>`,
    `<table style="border-collapse:collapse">${summaryRows.join('\n')}</table>`,
    stepTable(report),
    ...report.notes.map((note) => `<p style="color:#5b6770">${escapeMarkup(note)}</p>`),
    '</body></html>',
    '',
  ].join('\n');
}

function stepTable(report: RunReport): string {
  const rows = listSteps(report).map((row) => `<tr>${row.map((text) => td(text, line)).join('')}</tr>`);
  if (rows.length === 0) return '';
  const headers = ['Step', 'Status', 'Duration', 'Error'].map(
    (head) => `<th style="${line};color:#5b6770">${head}</th>`,
  );
  return `<table style="border-collapse:collapse;margin-top:16px"><tr>${headers.join('')}</tr>\n${rows.join('\n')}</table>`;
}

const td = (text: string, style: string): string =>
  `<td style="${style}">${escapeMarkup(text).replaceAll('\n', '<br>')}</td>`;
