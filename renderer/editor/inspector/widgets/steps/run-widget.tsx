import { ExternalLink, LogIn } from 'lucide-react';
import { useEffect, useState } from 'react';
import { navigate } from '../../../../app/address.ts';
import { paths } from '../../../../app/paths.ts';
import { Button } from '../../../../ui/controls/button.tsx';
import { useOutsideNames } from '../../../page/opening/use-outside-names.ts';
import { useSessionView } from '../../../session/use-session.ts';
import { textOfValue, useForm, type WidgetProps } from '../../form/form-context.ts';
import { Line } from '../values/text-widgets.tsx';
import styles from '../../inspector.module.css';

/**
 * The sub-workflow of a step, with a list of workflows of the file and the home directory, and a link to it.
 */
export function RunWidget(props: WidgetProps) {
  const form = useForm();
  const name = textOfValue(props.state?.value).trim();
  const documents = useSessionView((view) => view.outlined?.outline.documents) ?? [];
  const others = documents.slice(1).flatMap((one) => (one.name === undefined ? [] : [one.name]));
  const outside = useNames();
  const listId = `${props.inputId}names`;
  const inside = documents.find((one, documentIndex) => documentIndex > 0 && one.name === name);
  return (
    <>
      <Line {...props} listId={listId} toValue={(text) => (text === '' ? undefined : text)} />
      <datalist id={listId}>
        {[...new Set([...others, ...outside])].map((each) => (
          <option key={each} value={each}>
            {others.includes(each) ? 'in this file' : undefined}
          </option>
        ))}
      </datalist>
      {inside && (
        <div className={styles.actions}>
          <Button
            size="small"
            variant="quiet"
            icon={LogIn}
            onPress={() => form.session.selectWorkflow(inside.index, 'inspector')}
          >
            Edit {name}, in this file
          </Button>
        </div>
      )}
      {!inside && outside.includes(name) && (
        <div className={styles.actions}>
          <Button
            size="small"
            variant="quiet"
            icon={ExternalLink}
            onPress={() => navigate(paths.editor(name))}
          >
            Edit {name}
          </Button>
        </div>
      )}
    </>
  );
}

/** Returns the workflows of the home directory; empty while loading. */
function useNames(): readonly string[] {
  const ask = useOutsideNames();
  const [names, setNames] = useState<readonly string[]>([]);
  useEffect(() => {
    let isWanted = true;
    void ask().then(({ workflows }) => isWanted && setNames(workflows));
    return () => {
      isWanted = false;
    };
  }, [ask]);
  return names;
}
