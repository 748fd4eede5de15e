import { summaryFields, listSteps, type RunReport } from './run-report.ts';

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
