import { FileSearch } from 'lucide-react';
import { useMemo, useState } from 'react';
import { SearchField } from '../../ui/fields.tsx';
import { EmptyState, Notice } from '../../ui/state.tsx';
import { VirtualTable, type Column } from '../../ui/list/virtual-table.tsx';
import list from '../../ui/list/list.module.css';
import type { FileRow, FileTable } from './parse-file.ts';
import styles from './files.module.css';

interface Sorting {
  readonly column: number;
  readonly order: 'asc' | 'desc';
}

const numberWidth = 64;
const columnWidth = 168;

/** Rows of a CSV or JSON lines file; they can be filtered and sorted. */
export function FileTableView({
  name,
  table,
  isPartial,
}: {
  readonly name: string;
  readonly table: FileTable;
  readonly isPartial: boolean;
}) {
  const [filter, setFilter] = useState('');
  const [sorting, setSorting] = useState<Sorting>();
  const rows = useMemo(() => arrange(table.rows, filter, sorting), [table.rows, filter, sorting]);
  const columns = useMemo(() => makeColumns(table, sorting, setSorting), [table, sorting]);
  if (table.columns.length === 0) return <EmptyState icon={FileSearch} title="No rows" />;
  return (
    <>
      <div className={styles.bar}>
        <SearchField label="Filter rows" placeholder="Filter rows" value={filter} onChange={setFilter} />
        <span className={styles.count} role="status">
          {formatRowCount({ table, shown: rows.length, isFiltered: filter.trim() !== '', isPartial })}
        </span>
      </div>
      <LineProblems table={table} />
      <VirtualTable
        label={name}
        rows={rows}
        columns={columns}
        getKey={({ line }) => String(line)}
        getName={({ line }) => `Line ${line}`}
        minWidth={numberWidth + columnWidth * table.columns.length}
      />
    </>
  );
}

/** The first broken lines of a file. */
function LineProblems({ table: { problems, problemCount } }: { readonly table: FileTable }) {
  if (problemCount === 0) return null;
  const others = problemCount - problems.length;
  const [first] = problems;
  if (problemCount === 1 && first !== undefined)
    return (
      <Notice tone="warning">
        Line {first.line} is broken: {first.message}.
      </Notice>
    );
  return (
    <Notice tone="warning">
      <details className={styles.problems}>
        <summary>{formatCount(problemCount)} broken lines</summary>
        <ul>
          {problems.map(({ line, message }) => (
            <li key={line}>
              Line {line}: {message}
            </li>
          ))}
          {others > 0 && <li>{formatCount(others)} more</li>}
        </ul>
      </details>
    </Notice>
  );
}

const formatCount = (count: number): string => count.toLocaleString('en');

interface CountInput {
  readonly table: FileTable;
  readonly shown: number;
  readonly isFiltered: boolean;
  readonly isPartial: boolean;
}

function formatRowCount({ table: { count, rows }, shown, isFiltered, isPartial }: CountInput): string {
  const all = `${formatCount(count)}${isPartial ? '+' : ''} ${count === 1 ? 'row' : 'rows'}`;
  const first = `first ${formatCount(rows.length)}`;
  const isCut = count > rows.length;
  if (isFiltered) return `${formatCount(shown)} of ${isCut ? `the ${first}` : all}`;
  return isCut ? `F${first.slice(1)} of ${all}` : all;
}

const compareTexts = new Intl.Collator('en', { numeric: true, sensitivity: 'base' }).compare;

/** Numbers are compared as numbers, and empty values are last. */
function compareValues(one: string, other: string): number {
  if (one === '' || other === '') return Number(one === '') - Number(other === '');
  const difference = Number(one) - Number(other);
  return Number.isNaN(difference) ? compareTexts(one, other) : difference;
}

function arrange(rows: readonly FileRow[], filter: string, sorting: Sorting | undefined): readonly FileRow[] {
  const searched = filter.trim().toLowerCase();
  const found =
    searched === ''
      ? rows
      : rows.filter(({ values }) => values.some((value) => value.toLowerCase().includes(searched)));
  if (sorting === undefined) return found;
  const { column, order } = sorting;
  const sign = order === 'asc' ? 1 : -1;
  return found.toSorted(
    (one, other) => sign * compareValues(one.values[column] ?? '', other.values[column] ?? ''),
  );
}

function makeColumns(
  { columns }: FileTable,
  sorting: Sorting | undefined,
  sort: (sorting: Sorting | undefined) => void,
): readonly Column<FileRow>[] {
  const toggle = (column: number) => (): void => {
    if (sorting?.column !== column) return sort({ column, order: 'asc' });
    return sort(sorting.order === 'asc' ? { column, order: 'desc' } : undefined);
  };
  return [
    {
      id: 'line',
      header: 'Line',
      width: `${numberWidth}px`,
      isNumber: true,
      cell: ({ line }) => <span className={list.faint}>{line}</span>,
    },
    ...columns.map((name, index) => ({
      id: String(index),
      header: name,
      sort: {
        label: name,
        sorted: sorting?.column === index ? sorting.order : (false as const),
        onSort: toggle(index),
      },
      cell: ({ values }: FileRow) => <span title={values[index]}>{values[index]}</span>,
    })),
  ];
}
