import { createReadStream } from 'node:fs';
import path from 'node:path';
import {
  type CsvTotals,
  sendCsv,
  type CsvOutline,
  outlineCsv,
  toColumnName,
} from '../../base/csv-columns.ts';
import { CsvStream, detectDelimiter } from '../../base/csv.ts';
import { exitCodes } from '../../base/error-codes.ts';
import { AppError, formatFsError } from '../../base/errors.ts';
import { pluralize } from '../../base/text.ts';
import { readCatalog } from '../../gateway/catalog/read-catalog.ts';
import {
  addImportRows,
  createImport,
  finishImport,
  type ImportOutcome,
  type ImportTarget,
  removeImport,
} from '../../gateway/import-rows.ts';
import { findTable } from '../../gateway/tables/table-sql.ts';
import type { Catalog } from '../../gateway/catalog/catalog.ts';
import { type CommandContext, printJson, printLines, type ResultFormat } from '../command-context.ts';
import { withDatabase } from './gateway.ts';

export interface GatewayImportInput extends ResultFormat {
  /** `-` for stdin. */
  readonly file: string;
  /** Name, or schema and name. */
  readonly table: string;
  readonly delimiter?: string;
  /** False for a file without column names. */
  readonly header: boolean;
}

/** Length of the part of the file by which delimiter, header and types are detected, in UTF-16 code units. */
const headLength = 262_144;
/** Number of errors that are printed. */
const maxPrinted = 20;

/** Imports a CSV file into a table, which it creates if it does not exist. */
export async function runGatewayImport(context: CommandContext, input: GatewayImportInput): Promise<number> {
  const { rows, target } = await withDatabase(context, async (database, settings) => {
    const { schemas, extraSearchPath } = settings;
    const catalog = await readCatalog(database, { schemas, extraSearchPath, clock: context.clock });
    const file = await openCsv(context, input);
    const chosen = chooseTarget(input, file.outline, catalog);
    const width = file.outline.columns.length;
    const id = await createImport(database, width, context.clock.now());
    try {
      const totals = await sendCsv({
        ...file,
        hasHeader: file.outline.hasHeader,
        width,
        send: (batch) => addImportRows(database, id, batch),
      });
      checkLines(totals.problems, totals.problemCount);
      const outcome: ImportOutcome = await finishImport(database, id, chosen);
      checkLines(outcome.errors, outcome.errors.length);
      return { rows: outcome.rows, target: chosen };
    } finally {
      await removeImport(database, id);
    }
  });
  const isNew = target.kind === 'new';
  if (input.format === 'json') await printJson(context, { table: input.table, rows, isNew });
  else
    await printLines(context, [
      `${isNew ? 'Created' : 'Appended to'} ${input.table}: ${pluralize(rows, 'row')}.`,
    ]);
  return exitCodes.success;
}

interface OpenedCsv {
  readonly parts: AsyncIterable<string>;
  readonly delimiter: string;
  readonly outline: CsvOutline;
}

/** Reads the beginning of the file, and describes its columns. */
async function openCsv(context: CommandContext, input: GatewayImportInput): Promise<OpenedCsv> {
  const parts = decode(input.file, path.resolve(context.cwd, input.file))[Symbol.asyncIterator]();
  let head = '';
  while (head.length < headLength) {
    const next = await parts.next();
    if (next.done === true) break;
    head += next.value;
  }
  const delimiter = readDelimiter(input.delimiter) ?? detectDelimiter(head);
  const stream = new CsvStream(delimiter);
  const records = [...stream.push(head), ...(head.length < headLength ? stream.end() : [])];
  if (records.length === 0) throw new AppError('bad_request', `${input.file} has no rows.`);
  const outline = outlineCsv(records, input.header ? undefined : false);
  return { parts: joinParts(head, { [Symbol.asyncIterator]: () => parts }), delimiter, outline };
}

async function* joinParts(head: string, others: AsyncIterable<string>): AsyncGenerator<string> {
  yield head;
  yield* others;
}

async function* decode(named: string, file: string): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const source: AsyncIterable<Buffer> = named === '-' ? process.stdin : createReadStream(file);
  try {
    for await (const part of source) yield decoder.decode(part, { stream: true });
    yield decoder.decode();
  } catch (error) {
    if (error instanceof TypeError)
      throw new AppError('bad_request', `${named} is not UTF-8. Convert it with iconv.`, { cause: error });
    throw new AppError('not_found', `Cannot read ${named}: ${formatFsError(error)}`, { cause: error });
  }
}

function readDelimiter(text: string | undefined): string | undefined {
  const delimiter = text === 'tab' || text === String.raw`\t` ? '\t' : text;
  if (delimiter === undefined || (delimiter.length === 1 && !/["\r\n]/.test(delimiter))) return delimiter;
  throw new AppError('bad_request', `Option --delimiter must be one character or "tab", not "${text}".`);
}

function chooseTarget(
  { table: named, header }: GatewayImportInput,
  { columns, hasHeader }: CsvOutline,
  catalog: Catalog,
): ImportTarget {
  const [schema, name] = named.includes('.') ? named.split('.', 2) : [catalog.schemas[0], named];
  if (schema === undefined || name === undefined || name === '')
    throw new AppError(
      'bad_request',
      `Option --table must be a name, or a schema and a name, not "${named}".`,
    );
  if (catalog.findRelation(schema, name) === undefined) {
    const typed = columns.map((column, source) => ({ ...column, source }));
    return { kind: 'new', schema, name, columns: typed, key: 'id' };
  }
  const table = findTable(catalog, { schema, table: name });
  const own = table.relation.columns.filter(({ isGenerated }) => !isGenerated);
  if (!hasHeader || !header) {
    if (columns.length > own.length)
      throw new AppError(
        'bad_request',
        `The file has ${columns.length} columns, but ${named} has ${own.length}. Add a header to the file.`,
      );
    return {
      kind: 'existing',
      table,
      columns: columns.map((_, source) => ({ source, name: own[source]!.name })),
    };
  }
  const matched = columns.map((column, source) => ({
    source,
    name: own.find((each) => toColumnName(each.name) === column.name)?.name,
    title: column.name,
  }));
  const unknown = matched.filter((column) => column.name === undefined).map(({ title }) => title);
  if (unknown.length > 0)
    throw new AppError(
      'bad_request',
      `${named} has no column ${unknown.join(', ')}. Its columns: ${own.map((each) => each.name).join(', ')}.`,
    );
  return {
    kind: 'existing',
    table,
    columns: matched.map(({ source, name: column = '' }) => ({ source, name: column })),
  };
}

/** @throws `bad_request` with the first lines that were rejected; nothing was imported */
function checkLines(problems: CsvTotals['problems'], count: number): void {
  if (count === 0) return;
  const lines = problems.slice(0, maxPrinted).map(({ line, message }) => `line ${line}: ${message}`);
  const more = count > lines.length ? [`and ${count - lines.length} more`] : [];
  throw new AppError(
    'bad_request',
    ['Nothing was imported, because of these lines:', ...lines, ...more].join('\n  '),
  );
}
