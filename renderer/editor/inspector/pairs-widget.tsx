import { Plus } from 'lucide-react';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { JsonValue } from '../../../core/base/json.ts';
import { fileNamePattern } from '../../../core/base/ids.ts';
import type { Workflow } from '../../../core/model/workflow.ts';
import { Button } from '../../ui/button.tsx';
import { useBridge } from '../../api/bridge.ts';
import { queryKeys } from '../../api/query-keys.ts';
import { useExistingFiles, useSessionView } from '../session/panel-state.ts';
import { isScalarValue, getValueText, useForm, type WidgetProps } from './form-context.ts';
import { AddEntryButton, Cell, Entries, Entry } from './entry.tsx';
import { pairMoves, freeName, listParams, readPairs, type PairRow, isParamsSchema } from './entry-rows.ts';
import { parseLike, readScalar, TextWidget } from './text-widgets.tsx';
import styles from './inspector.module.css';
import { FormWidget } from './form-widgets.tsx';

/** Names and values, in the form that the author chose. */
export function PairsWidget(props: WidgetProps) {
  const { path, state, label, spec } = props;
  const form = useForm();
  const value = state?.value ?? null;
  if (isScalarValue(value) && value !== null) return <OneText {...props} />;
  const rows = readPairs(value);
  const add = (): Promise<boolean> => {
    const name = freeName(rows);
    if (!Array.isArray(value))
      return form.set(value === null ? path : [...path, name], {
        value: value === null ? { [name]: '' } : '',
      });
    const item = rows.at(-1)?.form === 'text' ? `${name}=` : { [name]: '' };
    return form.set([...path, value.length], { value: item });
  };
  const addWord = (list: readonly JsonValue[]): void =>
    void form.set([...path, list.length], { value: 'value' });
  return (
    <>
      {rows.length > 0 && (
        <Entries label={label}>
          {rows.map((row, index) => (
            <Row
              key={
                row.path.filter((part) => typeof part === 'number').join('.') +
                (row.form === 'map' ? `#${index}` : '')
              }
              index={index}
              {...{ path, label, row, rows }}
            />
          ))}
        </Entries>
      )}
      <div className={styles.actions}>
        <AddEntryButton noun={spec.widget === 'params' ? 'parameter' : 'entry'} onPress={add} />
        {spec.widget === 'params' && Array.isArray(value) && (
          <Button size="small" variant="quiet" icon={Plus} onPress={() => addWord(value)}>
            Add unnamed value
          </Button>
        )}
      </div>
    </>
  );
}

/** Parameters in one string. */
function OneText(props: WidgetProps) {
  const { path, state } = props;
  const form = useForm();
  const convert = (): void => void form.set(path, { value: listParams(getValueText(state?.value)) });
  return (
    <>
      <TextWidget {...props} />
      <Button size="small" variant="quiet" onPress={convert}>
        Edit as table
      </Button>
    </>
  );
}

interface RowProps {
  readonly path: WidgetProps['path'];
  readonly row: PairRow;
  readonly rows: readonly PairRow[];
  readonly index: number;
  readonly label: string;
}

function Row({ path, row, rows, index, label }: RowProps) {
  const form = useForm();
  const at = [...path, ...row.path];
  const rename = (name: string): Promise<boolean> => {
    if (row.form === 'text') return form.set(at, { value: `${name}=${row.value}` });
    return form.edit(path, { kind: 'rename-key', target: form.target.slice(0, 1), field: at, key: name });
  };
  const write = (text: string): Promise<boolean> => {
    if (row.form === 'text') return form.set(at, { value: `${row.name}=${text}` });
    return form.set(at, { value: row.plain === null ? readScalar(text) : parseLike(text, row.plain) });
  };
  const what = row.name === '' ? `${label} ${index + 1}` : row.name;
  return (
    <Entry
      label={what}
      index={index}
      moves={pairMoves(form, path, rows, index)}
      removed={rows.length === 1 ? path : [...path, ...row.whole]}
      at={at}
    >
      {row.form !== 'word' && (
        <Cell label={`Name of ${what}`} value={row.name} isLive={false} onCommit={rename} />
      )}
      <Cell
        label={row.form === 'word' ? what : `Value of ${what}`}
        value={row.value}
        at={at}
        onCommit={write}
      />
    </Entry>
  );
}

const maxShown = 12;
/** Other parameters are positional. */
const namePattern = /^[A-Za-z_]/;

/** Parameters of the sub-workflow that the step does not pass, to be added with their defaults. */
function ChildParams({ path, state }: Pick<WidgetProps, 'path' | 'state'>) {
  const form = useForm();
  const name = getValueText(form.getState(['run'])?.value).trim();
  const workflow = useChild(name);
  const value = state?.value ?? null;
  if (!workflow || typeof value === 'string') return null;
  const passedParams = new Set(readPairs(value).map((row) => row.name));
  const missing = workflow.params.filter(
    (param) => namePattern.test(param.name) && !passedParams.has(param.name),
  );
  if (missing.length === 0) return null;
  const add = (key: string, preset: JsonValue): void => {
    if (Array.isArray(value)) return void form.set([...path, value.length], { value: { [key]: preset } });
    void form.set(value === null ? path : [...path, key], {
      value: value === null ? { [key]: preset } : preset,
    });
  };
  return (
    <div role="group" aria-label={`Parameters of ${name}`} className={styles.entry}>
      <p className={styles.note}>{name} also accepts:</p>
      <div className={styles.actions}>
        {missing.slice(0, maxShown).map((param) => (
          <Button
            key={param.name}
            size="small"
            variant="quiet"
            icon={Plus}
            aria-label={`Add parameter ${param.name}`}
            onPress={() => add(param.name, param.value)}
          >
            {param.value === '' ? param.name : `${param.name} (${param.value})`}
          </Button>
        ))}
      </div>
    </div>
  );
}

/**
 * Returns a workflow by name: from this file, otherwise from a saved file; undefined while it has errors or is
 * unknown.
 */
function useChild(name: string): Pick<Workflow, 'params'> | undefined {
  const bridge = useBridge();
  const inside = useSessionView(({ validAnalysis }) =>
    validAnalysis?.workflows.find((one, index) => index > 0 && one.name === name),
  );
  const isFile = inside === undefined && new RegExp(fileNamePattern).test(name);
  const names = useMemo(() => (isFile ? [name] : []), [isFile, name]);
  const isThere = useExistingFiles(names).there.includes(name);
  const { data } = useQuery({
    queryKey: queryKeys.dag(name),
    queryFn: () => bridge.call('dags.get', { fileName: name }),
    enabled: isThere,
    retry: false,
  });
  return inside ?? (isThere ? data?.workflow : undefined);
}

/** Parameters as a table or a string, or a schema for them with defaults. */
export function ParamsWidget(props: WidgetProps) {
  const { path, state, spec } = props;
  const form = useForm();
  const value = state?.value;
  if (isParamsSchema(value)) return <FormWidget {...props} />;
  const canCheck = spec.fields.length > 0 && value === undefined;
  return (
    <>
      <PairsWidget {...props} />
      {form.kind === 'step' && form.getState(['run']) && <ChildParams path={path} state={state} />}
      {canCheck && (
        <div>
          <Button
            size="small"
            variant="quiet"
            onPress={() => void form.set(path, { value: { schema: './params.schema.json' } })}
          >
            Validate with JSON Schema
          </Button>
        </div>
      )}
    </>
  );
}
