import type { Document } from 'yaml';
import { countUtf8Bytes } from '../base/text/utf8.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import type { Authored } from './authored.ts';
import { validateAuthored } from './authored-validator.ts';
import { canonicaliseKeys } from './spelling/canonical-keys.ts';
import { describeTooLarge } from './limits.ts';
import { describeNode, reportSchemaErrors } from './schema-diagnostics.ts';
import { describeBinary } from './source/binary.ts';
import { createReport, type Report } from './source/report.ts';
import { toValue, type SourceRef, type SourceNode } from './source/source-node.ts';
import { parseYaml } from './yaml/parse-yaml.ts';

/** A file and its content. */
export interface SourceText {
  readonly text: string;
  /** Name of the file in diagnostics. */
  readonly file?: string;
  /** Its documents, if they are already parsed (`parseDocuments`). */
  readonly documents?: readonly Document.Parsed[];
}

/**
 * Parses a file and passes its documents on.
 * @param read converts them to a result; not called if the file cannot be parsed
 * @returns the result, or undefined after an error, and the diagnostics in the order of the file
 */
export function readSource<T>(
  { text, file = '', documents: parsed }: SourceText,
  read: (documents: readonly SourceNode[], report: Report) => T,
): { result: T | undefined; diagnostics: Diagnostic[] } {
  const source = text.startsWith('\uFEFF') ? text.slice(1) : text;
  const report = createReport(source, file);
  // Offsets differ in a text with a byte order mark.
  const known = source === text ? parsed : undefined;
  const documents = isReadable(source, report) ? parseYaml(source, report, known) : undefined;
  const result = documents && read(documents, report);
  return { result: report.errorCount > 0 ? undefined : result, diagnostics: report.list() };
}

function isReadable(text: string, report: Report): boolean {
  const tooLarge = describeTooLarge(countUtf8Bytes(text));
  if (tooLarge !== undefined) report.errorAt(0, '', tooLarge);
  const binary = tooLarge === undefined ? describeBinary(text) : undefined;
  if (binary) report.errorAt(binary.offset, '', binary.message);
  return report.errorCount === 0;
}

/**
 * Reads one document as the authored shape.
 * @param describeNoMap returns the error message for a document that is not a map, from a description of its type
 * @returns undefined after a schema error
 */
export function readAuthored(
  written: SourceRef,
  report: Report,
  describeNoMap = describeNotWorkflow,
): { authored: Authored; source: SourceRef } | undefined {
  if (written.node.kind !== 'map') {
    report.error(written, describeNoMap(describeNode(written.node), written.node));
    return undefined;
  }
  const source = { node: canonicaliseKeys(written, report), path: '' };
  const value = toValue(source.node);
  const errors = validateAuthored(value);
  reportSchemaErrors(errors, source, report);
  return errors.length > 0 ? undefined : { authored: value as Authored, source };
}

function describeNotWorkflow(actual: string, { kind }: SourceNode): string {
  const remedy = kind === 'list' ? 'Put the list below "steps:".' : 'Start with "steps:".';
  return `A workflow must be a map of fields, but this document is ${actual}. ${remedy}`;
}
