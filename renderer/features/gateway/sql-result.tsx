import { useMemo, useState } from 'react';
import type { GatewaySqlResult } from '../../../core/contract/gateway-tables.ts';
import { VirtualTable, type Column } from '../../ui/list/virtual-table.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { CellText, isNumberType } from './cell-text.tsx';
import styles from './sql.module.css';

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
                  {name} <span className={styles.type}>{type}</span>
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
      cell: ({ number }) => <span className={styles.type}>{number}</span>,
    },
    ...columns.map(({ name, type }, index) => ({
      id: String(index),
      header: (
        <span title={type}>
          {name} <span className={styles.type}>{type}</span>
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
