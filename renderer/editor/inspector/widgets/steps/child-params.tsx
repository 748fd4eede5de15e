import { useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useMemo } from 'react';
import type { JsonValue } from '../../../../../core/base/json.ts';
import { fileNamePattern } from '../../../../../core/base/ids.ts';
import type { Workflow } from '../../../../../core/model/workflow/workflow.ts';
import { useBridge } from '../../../../api/bridge.ts';
import { queryKeys } from '../../../../api/queries/query-keys.ts';
import { Button } from '../../../../ui/controls/button.tsx';
import { useExistingFiles } from '../../../page/opening/use-existing-files.ts';
import { useSessionView } from '../../../session/use-session.ts';
import { textOfValue, useForm, type WidgetProps } from '../../form/form-context.ts';
import { readPairs } from '../pairs/read-pairs.ts';
import styles from '../../inspector.module.css';

const maxShown = 12;
/** Other parameters are positional. */
const namePattern = /^[A-Za-z_]/;

/** Parameters of the sub-workflow that the step does not pass, to be added with their defaults. */
export function ChildParams({ path, state }: Pick<WidgetProps, 'path' | 'state'>) {
  const form = useForm();
  const name = textOfValue(form.stateOf(['run'])?.value).trim();
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
  const wanted = useMemo(() => (isFile ? [name] : []), [isFile, name]);
  const isThere = useExistingFiles(wanted).there.includes(name);
  const { data } = useQuery({
    queryKey: queryKeys.dag(name),
    queryFn: () => bridge.call('dags.get', { fileName: name }),
    enabled: isThere,
    retry: false,
  });
  return inside ?? (isThere ? data?.workflow : undefined);
}
