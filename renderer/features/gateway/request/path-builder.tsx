import { Plus } from 'lucide-react';
import { useState } from 'react';
import type { GatewayTableView } from '../../../../core/contract/gateway.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { Select } from '../../../ui/controls/select.tsx';
import { TextField } from '../../../ui/controls/text-field.tsx';
import styles from '../gateway.module.css';
import { addFilter, builtOperators } from './build-path.ts';

interface PathBuilderProps {
  readonly table: GatewayTableView;
  readonly path: string;
  readonly onChange: (path: string) => void;
}

/** Adds column filters to a path, without knowledge of the query syntax. */
export function FilterBuilder({ table, path, onChange }: PathBuilderProps) {
  const [column, setColumn] = useState('');
  const [operator, setOperator] = useState<(typeof builtOperators)[number]['value']>('eq');
  const [value, setValue] = useState('');
  const names = table.columns.map(({ name }) => name);
  const chosen = names.includes(column) ? column : (names[0] ?? '');
  if (chosen === '') return null;
  const add = (): void => {
    onChange(addFilter(path, { column: chosen, operator, value }));
    setValue('');
  };
  return (
    <div className={styles.builder} role="group" aria-label="Filter">
      <Select
        label="Column"
        isLabelled
        value={chosen}
        choices={names.map((name) => ({ value: name, label: name }))}
        onChange={setColumn}
      />
      <Select label="Operator" isLabelled value={operator} choices={builtOperators} onChange={setOperator} />
      <TextField label="Value" value={value} onChange={setValue} />
      <Button icon={Plus} onPress={add}>
        Add filter
      </Button>
    </div>
  );
}
