import { SquareFunction } from 'lucide-react';
import type { GatewayCatalogView } from '../../../../core/contract/gateway.ts';
import { EmptyState } from '../../../ui/state/empty-state.tsx';
import { ScrollArea } from '../../../ui/layout/scroll-area.tsx';
import styles from '../gateway.module.css';

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
