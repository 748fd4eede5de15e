import { Send, SquareFunction } from 'lucide-react';
import { useMemo, useState } from 'react';
import type {
  GatewayColumnView,
  GatewayDomainView,
  GatewayTableView,
  GatewayCatalogView,
} from '../../../core/contract/gateway.ts';
import { pluralize } from '../../../core/base/text.ts';
import { useQueryParams } from '../../navigation/address.ts';
import { Button } from '../../ui/button.tsx';
import { NativeSelect, Segmented } from '../../ui/choices.tsx';
import { ScrollArea } from '../../ui/page.tsx';
import { SearchField } from '../../ui/fields.tsx';
import { Split, useIsNarrow } from '../../ui/splitter.tsx';
import { FilterBar } from '../../ui/list/filter-bar.tsx';
import { SideList } from '../../ui/list/list-end.tsx';
import items from '../../ui/list/list.module.css';
import { EmptyState } from '../../ui/state.tsx';
import styles from './gateway.module.css';
import { EmptyWithExample } from './example-query.tsx';
import { ImportButton } from './import-dialog.tsx';
import { RowsView } from './rows-view.tsx';

/** Returns the key of a table across all schemas, which is also used in the address. */
export const getKey = ({ schema, name }: { readonly schema: string; readonly name: string }): string =>
  `${schema}.${name}`;

interface ConversionsProps {
  readonly column: GatewayColumnView;
  /** The domain of the column's type; absent without conversions. */
  readonly domain: GatewayDomainView | undefined;
}

/** The formats in which a column's values are read and written, and the functions that convert them. */
function ColumnConversions({ column, domain }: ConversionsProps) {
  if (domain === undefined) return <span className={styles.muted}>as stored</span>;
  const ways = [
    ['responses', domain.response],
    ['filters', domain.filter],
    ['bodies', domain.body],
  ] as const;
  return (
    <dl className={styles.conversions}>
      {ways.map(([way, conversion]) => (
        <div key={way}>
          <dt>{way}</dt>
          <dd>
            {conversion === undefined ? (
              <span className={styles.muted}>as stored: {column.baseType}</span>
            ) : (
              <>
                by <code>{conversion}</code>
              </>
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}

interface TableDetailProps {
  readonly table: GatewayTableView;
  readonly domains: readonly GatewayDomainView[];
}

const parts = [
  { value: 'rows', label: 'Rows' },
  { value: 'columns', label: 'Columns' },
] as const;

/** One table: its rows, or its columns. */
function TableDetail({ table, domains }: TableDetailProps) {
  const { name, kind } = table;
  const [query, change] = useQueryParams();
  const part = query.get('part') === 'columns' ? 'columns' : 'rows';
  return (
    <section className={styles.tablePage} aria-label={`${kind} ${name}`}>
      <header className={styles.detailHead}>
        <h2>{name}</h2>
        <Segmented
          label="Show"
          value={part}
          choices={parts}
          onChange={(next) => change({ part: next === 'rows' ? undefined : next })}
        />
        <ImportButton table={table} />
        <Button size="small" icon={Send} onPress={() => change({ view: 'request', table: getKey(table) })}>
          Try a request
        </Button>
      </header>
      {part === 'rows' ? (
        <RowsView key={getKey(table)} table={table} domains={domains} />
      ) : (
        <ColumnsView table={table} domains={domains} />
      )}
    </section>
  );
}

/** The columns of a table and its allowed operations. */
function ColumnsView({ table, domains }: TableDetailProps) {
  const { name, comment, columns, related } = table;
  return (
    <ScrollArea className={styles.detail} aria-label={`Columns of ${name}`}>
      {comment !== undefined && <p className={styles.comment}>{comment}</p>}
      <p className={styles.muted}>
        {listMethods(table).join(', ')}
        {related.length > 0 && <> · related to {related.join(', ')}</>}
      </p>
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">Column</th>
            <th scope="col">Type</th>
            <th scope="col">Conversions</th>
            <th scope="col">Default</th>
          </tr>
        </thead>
        <tbody>
          {columns.map((column) => (
            <ColumnRow
              key={column.name}
              column={column}
              domain={domains.find(({ schema, name: of }) => `${schema}.${of}` === column.domain)}
            />
          ))}
        </tbody>
      </table>
    </ScrollArea>
  );
}

interface ColumnRowProps {
  readonly column: GatewayColumnView;
  readonly domain: GatewayDomainView | undefined;
}

function ColumnRow({ column, domain }: ColumnRowProps) {
  const { name, type, baseType, isKey, isNullable, isGenerated, comment } = column;
  const marks = [isKey && 'key', !isNullable && !isKey && 'not null', isGenerated && 'computed'].filter(
    Boolean,
  );
  return (
    <tr>
      <th scope="row" title={comment}>
        <code>{name}</code>
        {marks.length > 0 && <span className={styles.marks}>{marks.join(', ')}</span>}
      </th>
      <td>
        <code>{type}</code>
        {domain !== undefined && <span className={styles.marks}>over {baseType}</span>}
      </td>
      <td>
        <ColumnConversions column={column} domain={domain} />
      </td>
      <td>{column.default !== undefined && <code>{column.default}</code>}</td>
    </tr>
  );
}

const listMethods = ({ isInsertable, isUpdatable, isDeletable }: GatewayTableView): string[] => [
  'GET',
  ...(isInsertable ? ['POST'] : []),
  ...(isUpdatable ? ['PATCH'] : []),
  ...(isInsertable && isUpdatable ? ['PUT'] : []),
  ...(isDeletable ? ['DELETE'] : []),
];

/** The tables and views of the exposed schemas, with the selected one. */
export function TablesView({ catalog }: { readonly catalog: GatewayCatalogView }) {
  const { tables, domains, schemas } = catalog;
  const [query, change] = useQueryParams();
  const [filterText, setFilterText] = useState('');
  const isNarrow = useIsNarrow();
  const matches = useMemo(() => findTables(tables, filterText), [tables, filterText]);
  if (tables.length === 0) return <NoTables schemas={schemas} />;
  const getLabel = (table: GatewayTableView): string => (schemas.length === 1 ? table.name : getKey(table));
  const chosen = tables.find((table) => getKey(table) === query.get('table')) ?? matches[0];
  return (
    <>
      <FilterBar>
        <SearchField
          label="Search tables"
          placeholder="Search tables and columns"
          value={filterText}
          onChange={setFilterText}
        />
        <span className={styles.count} role="status">
          {matches.length} of {tables.length}
        </span>
        {isNarrow && chosen !== undefined && (
          <TableSelect tables={[...new Set([chosen, ...matches])]} chosen={chosen} getLabel={getLabel} />
        )}
        <ImportButton />
      </FilterBar>
      <Split
        id="gateway-tables"
        label="Table list width"
        direction="columns"
        initial={0.2}
        first={
          isNarrow ? undefined : (
            <SideList
              label="Tables"
              items={matches}
              getKey={getKey}
              chosen={chosen && getKey(chosen)}
              onChoose={(table) => change({ table })}
            >
              {(table) => (
                <>
                  <span className={items.itemName}>{getLabel(table)}</span>
                  <span className={items.itemMore}>
                    {table.kind}, {pluralize(table.columns.length, 'column')}
                  </span>
                </>
              )}
            </SideList>
          )
        }
        second={chosen && <TableDetail table={chosen} domains={domains} />}
      />
    </>
  );
}

function NoTables({ schemas }: Pick<GatewayCatalogView, 'schemas'>) {
  return (
    <EmptyWithExample title="No tables yet" action={<ImportButton />}>
      The gateway serves every table and view in{' '}
      {schemas.length === 1 ? `the schema ${schemas[0]}` : `the schemas ${schemas.join(', ')}`}. Create tables
      on the tab SQL, or import a CSV file.
    </EmptyWithExample>
  );
}

interface TableSelectProps {
  readonly tables: readonly GatewayTableView[];
  readonly chosen: GatewayTableView;
  readonly getLabel: (table: GatewayTableView) => string;
}

/** The choice of a table where there is no room for the list. */
function TableSelect({ tables, chosen, getLabel }: TableSelectProps) {
  const [, change] = useQueryParams();
  return (
    <NativeSelect
      aria-label="Table"
      value={getKey(chosen)}
      onChange={(event) => change({ table: event.target.value })}
    >
      {tables.map((table) => (
        <option key={getKey(table)} value={getKey(table)}>
          {getLabel(table)}
        </option>
      ))}
    </NativeSelect>
  );
}

function findTables(tables: readonly GatewayTableView[], filterText: string): GatewayTableView[] {
  const word = filterText.trim().toLowerCase();
  return tables.filter(({ name, columns }) =>
    [name, ...columns.map((column) => column.name)].some((text) => text.toLowerCase().includes(word)),
  );
}

/** The functions callable at `/rpc`. */
export function FunctionsView({ catalog }: { readonly catalog: GatewayCatalogView }) {
  const { functions } = catalog;
  if (functions.length === 0)
    return (
      <EmptyState icon={SquareFunction} title="No functions">
        <p>
          Functions with named parameters in an exposed schema are available at <code>/rpc/NAME</code>.
        </p>
      </EmptyState>
    );
  return (
    <ScrollArea className={styles.detail} aria-label="Functions">
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">Function</th>
            <th scope="col">Parameters</th>
            <th scope="col">Result</th>
            <th scope="col">Methods</th>
          </tr>
        </thead>
        <tbody>
          {functions.map(({ schema, name, comment, parameters, result, isReadOnly }) => {
            const list = parameters.map((one) =>
              `${one.name} ${one.type}${one.isRequired ? '' : '?'}`.trim(),
            );
            return (
              <tr key={`${schema}.${name}(${list.join()})`}>
                <th scope="row">
                  <code>/rpc/{name}</code>
                  {comment !== undefined && <span className={styles.marks}>{comment}</span>}
                </th>
                <td>
                  <code>{list.join(', ')}</code>
                </td>
                <td>
                  <code>{result}</code>
                </td>
                <td>{isReadOnly && parameters.every((one) => one.name !== '') ? 'GET, POST' : 'POST'}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </ScrollArea>
  );
}
