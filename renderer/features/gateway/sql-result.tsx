import { useMemo, useState } from 'react';
import type { GatewaySqlResult } from '../../../core/contract/gateway-tables.ts';
import { VirtualTable, type Column } from '../../ui/list/virtual-table.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { CellText, isNumberType } from './cell.tsx';
import styles from './rows.module.css';

interface ResultRow {
  readonly number: number;
  readonly values: readonly (string | null)[];
}

const numberWidth = 64;
const columnWidth = 160;

/** The rows of a result; Enter or a click shows a row with its values in full. */
export function SqlResultTable({
  result,
  label,
}: {
  readonly result: GatewaySqlResult;
  readonly label: string;
}) {
  const [opened, setOpened] = useState<ResultRow>();
  const rows = useMemo(() => result.rows.map((values, index) => ({ number: index + 1, values })), [result]);
  const columns = useMemo(() => makeColumns(result), [result]);
  return (
    <>
      <VirtualTable
        label={label}
        rows={rows}
        columns={columns}
        getKey={({ number }) => String(number)}
        getName={({ number }) => `Row ${number}`}
        onOpen={setOpened}
        minWidth={numberWidth + columnWidth * result.columns.length}
      />
      {opened && (
        <Dialog title={`Row ${opened.number}`} size="wide" onClose={() => setOpened(undefined)}>
          <dl className={styles.row}>
            {result.columns.map(({ name, type }, index) => (
              <div key={index}>
                <dt>
                  {name} <span className={styles.sqlType}>{type}</span>
                </dt>
                <dd>
                  {opened.values[index] === null ? (
                    <CellText cell={{ text: null }} />
                  ) : (
                    <pre>{opened.values[index]}</pre>
                  )}
                </dd>
              </div>
            ))}
          </dl>
        </Dialog>
      )}
    </>
  );
}

function makeColumns({ columns }: GatewaySqlResult): readonly Column<ResultRow>[] {
  return [
    {
      id: 'number',
      header: '#',
      width: `${numberWidth}px`,
      isNumber: true,
      cell: ({ number }) => <span className={styles.sqlType}>{number}</span>,
    },
    ...columns.map(({ name, type }, index) => ({
      id: String(index),
      header: (
        <span title={type}>
          {name} <span className={styles.sqlType}>{type}</span>
        </span>
      ),
      isNumber: isNumberType(type),
      cell: ({ values }: ResultRow) => <CellText cell={{ text: values[index] ?? null }} />,
    })),
  ];
}

/** Formats a result as CSV, as PostgreSQL does: NULL is an empty value, and an empty string has quotes. */
export const formatCsv = ({ columns, rows }: GatewaySqlResult): string =>
  [columns.map(({ name }) => name), ...rows].map((row) => `${row.map(formatValue).join(',')}\r\n`).join('');

function formatValue(value: string | null): string {
  if (value === null) return '';
  return value === '' || /[",\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value;
}

/** A script that was run. */
export interface PastSql {
  readonly sql: string;
  /** ISO 8601. */
  readonly at: string;
}

const maxEntries = 50;
const maxLength = 20_000;

const keyFor = (user: string): string => `stepwright.sql-history.${user}`;

function readHistory(user: string): readonly PastSql[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(keyFor(user)) ?? '[]');
    return Array.isArray(stored) ? stored.filter(isPastSql) : [];
  } catch {
    return [];
  }
}

const isPastSql = (value: unknown): value is PastSql =>
  typeof value === 'object' &&
  value !== null &&
  typeof (value as PastSql).sql === 'string' &&
  typeof (value as PastSql).at === 'string';

/** The last scripts of a user, newest first, each once; stored in this browser or desktop app. */
export function useSqlHistory(user: string) {
  const [entries, setEntries] = useState(() => readHistory(user));
  const store = (next: readonly PastSql[]): void => {
    setEntries(next);
    try {
      localStorage.setItem(keyFor(user), JSON.stringify(next));
    } catch {
      // The storage is full or blocked: the history lasts until the page is closed.
    }
  };
  return {
    entries,
    add(sql: string, at: string): void {
      if (sql.length > maxLength) return;
      const others = readHistory(user).filter((entry) => entry.sql !== sql);
      store([{ sql, at }, ...others].slice(0, maxEntries));
    },
    clear: (): void => store([]),
  };
}
