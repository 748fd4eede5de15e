import { useMemo, useState } from 'react';
import { pluralize } from '../../../../core/base/text/pluralize.ts';
import type { GatewayCatalogView, GatewayTableView } from '../../../../core/contract/gateway.ts';
import { useQueryParams } from '../../../app/address.ts';
import { SearchField } from '../../../ui/controls/search-field.tsx';
import { Split } from '../../../ui/layout/splitter.tsx';
import { FilterBar } from '../../../ui/list/filter-bar.tsx';
import { SideList } from '../../../ui/list/side-list.tsx';
import { EmptyWithExample } from '../example/nothing-yet.tsx';
import styles from '../gateway.module.css';
import { keyOf } from './key-of.ts';
import { TableDetail } from './table-detail.tsx';
import items from '../../../ui/list/side-list.module.css';

/** The tables and views of the exposed schemas, with the selected one. */
export function TablesView({ catalog }: { readonly catalog: GatewayCatalogView }) {
  const { tables, domains, schemas } = catalog;
  const [query, change] = useQueryParams();
  const [filterText, setFilterText] = useState('');
  const matches = useMemo(() => findTables(tables, filterText), [tables, filterText]);
  if (tables.length === 0)
    return (
      <EmptyWithExample title="No tables yet">
        The gateway serves every table and view in{' '}
        {schemas.length === 1 ? `the schema ${schemas[0]}` : `the schemas ${schemas.join(', ')}`}. Create
        tables with <code>engine gateway psql --file FILE</code>, then click Reload.
      </EmptyWithExample>
    );
  const chosen = tables.find((table) => keyOf(table) === query.get('table')) ?? matches[0];
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
      </FilterBar>
      <Split
        id="gateway-tables"
        label="Table list width"
        direction="columns"
        initial={0.28}
        first={
          <SideList
            label="Tables"
            items={matches}
            keyOf={keyOf}
            chosen={chosen && keyOf(chosen)}
            onChoose={(table) => change({ table })}
          >
            {(table) => (
              <>
                <span className={items.itemName}>{schemas.length === 1 ? table.name : keyOf(table)}</span>
                <span className={items.itemMore}>
                  {table.kind}, {pluralize(table.columns.length, 'column')}
                </span>
              </>
            )}
          </SideList>
        }
        second={chosen && <TableDetail table={chosen} domains={domains} />}
      />
    </>
  );
}

function findTables(tables: readonly GatewayTableView[], filterText: string): GatewayTableView[] {
  const word = filterText.trim().toLowerCase();
  return tables.filter(({ name, columns }) =>
    [name, ...columns.map((column) => column.name)].some((text) => text.toLowerCase().includes(word)),
  );
}
