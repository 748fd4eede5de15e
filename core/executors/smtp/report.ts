import { escapeMarkup } from '../../base/text.ts';
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

/** Formats a report as plain text. */
export function reportText(report: RunReport): string {
  const summaryLines = summaryFields(report).map(([label, text]) => `${label.padEnd(12)}${indent(text, 12)}`);
  const rows = listSteps(report);
  const widths = [0, 1, 2].map((column) => Math.max(0, ...rows.map((row) => row[column]!.length)));
  const steps = rows.map(([name, status, duration, error]) => {
    const cells = [name, status, duration].map((cell, column) => cell.padEnd(widths[column]!));
    return `  ${[...cells, error.replaceAll(/\s+/g, ' ')].join('  ').trimEnd()}`;
  });
  return [
    report.headline,
    '',
    ...summaryLines,
    ...(steps.length === 0 ? [] : ['', 'Steps', ...steps]),
    ...(report.notes.length === 0 ? [] : ['', ...report.notes]),
    '',
  ].join('\n');
}

const indent = (text: string, by: number): string => text.replaceAll('\n', `\n${' '.repeat(by)}`);
