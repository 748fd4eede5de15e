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
import { toValue, type Place, type SourceNode } from './source/source-node.ts';
import { parseYaml } from './yaml/parse-yaml.ts';

/** A file as text. */
export interface SourceText {
  readonly text: string;
  /** How diagnostics call it. */
  readonly file?: string;
  /** Its documents, when they have been parsed before (`parseDocuments`). */
  readonly documents?: readonly Document.Parsed[];
}

/**
 * Parses a file and hands its documents on.
 * @param read turns them into a result; is not called for a file that cannot be read
 * @returns the result, or undefined when there was an error, and what was found in the order of the file
 */
export function readSource<T>(
  { text, file = '', documents: parsed }: SourceText,
  read: (documents: readonly SourceNode[], report: Report) => T,
): { result: T | undefined; diagnostics: Diagnostic[] } {
  const source = text.startsWith('\uFEFF') ? text.slice(1) : text;
  const report = createReport(source, file);
  // Of a text with a byte order mark the offsets are others.
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
 * Brings one document to the authored shape.
 * @param describeNoMap what to say of a document that is no map, from what it is in words
 * @returns undefined after an error of its shape
 */
export function readAuthored(
  written: Place,
  report: Report,
  describeNoMap = describeNoWorkflow,
): { authored: Authored; place: Place } | undefined {
  if (written.node.kind !== 'map') {
    report.error(written, describeNoMap(describeNode(written.node), written.node));
    return undefined;
  }
  const place = { node: canonicaliseKeys(written, report), path: '' };
  const value = toValue(place.node);
  const errors = validateAuthored(value);
  reportSchemaErrors(errors, place, report);
  return errors.length > 0 ? undefined : { authored: value as Authored, place };
}

function describeNoWorkflow(found: string, { kind }: SourceNode): string {
  const cure = kind === 'list' ? 'Put the list below "steps:".' : 'Start with "steps:".';
  return `A workflow must be a map of fields, but this document is ${found}. ${cure}`;
}
