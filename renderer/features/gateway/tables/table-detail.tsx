import { Send } from 'lucide-react';
import type {
  GatewayColumnView,
  GatewayDomainView,
  GatewayTableView,
} from '../../../../core/contract/gateway.ts';
import { useQueryParams } from '../../../app/address.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { ScrollArea } from '../../../ui/layout/scroll-area.tsx';
import styles from '../gateway.module.css';
import { ColumnConversions } from './conversions.tsx';
import { keyOf } from './key-of.ts';

/** One table: its allowed operations and its columns. */
export function TableDetail({
  table,
  domains,
}: {
  readonly table: GatewayTableView;
  readonly domains: readonly GatewayDomainView[];
}) {
  const { name, comment, columns, related } = table;
  const [, change] = useQueryParams();
  return (
    <ScrollArea className={styles.detail} aria-label={`${table.kind} ${name}`}>
      <header className={styles.detailHead}>
        <h2>{name}</h2>
        <Button size="small" icon={Send} onPress={() => change({ view: 'request', table: keyOf(table) })}>
          Try a request
        </Button>
      </header>
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
