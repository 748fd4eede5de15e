import { ListChecks, Play } from 'lucide-react';
import { useState } from 'react';
import { findUnencodableParam } from '../../../features/start/format-params.ts';
import { StartFields, type StartAnswers } from '../../../features/start/start-fields.tsx';
import { UnsendableNotice } from '../../../features/start/unsendable-notice.tsx';
import start from '../../../features/start/start.module.css';
import { Button } from '../../../ui/controls/button.tsx';
import { Dialog, DialogActions } from '../../../ui/overlay/dialog.tsx';
import { describeScope, type RunScope } from '../model/test-run.ts';
import { useTestState } from '../test-store.ts';
import { useTestLoopContext } from '../use-test-loop.ts';

/** Asks for the parameters of a run, prefilled with the last ones. */
export function ParamsDialog() {
  const question = useTestState((state) => state.question);
  return question ? <OpenQuestion scope={question.scope} /> : null;
}

function OpenQuestion({ scope }: { readonly scope: RunScope | 'dry' }) {
  const loop = useTestLoopContext();
  const remembered = useTestState((state) => state.answers);
  const [workflow] = useState(() => loop.workflow);
  const params = workflow?.params ?? [];
  const [answers, setAnswers] = useState<StartAnswers>({
    values: Object.fromEntries(params.map(({ name, value }) => [name, remembered[name] ?? value])),
    runId: '',
  });
  const unsendable = findUnencodableParam(params, answers.values);
  const close = (): void => loop.store.setState({ question: undefined });
  const submit = (event: React.FormEvent): void => {
    event.preventDefault();
    loop.answer(answers.values, answers.runId.trim());
  };
  return (
    <Dialog title={scope === 'dry' ? 'Dry run' : `Run ${describeScope(scope)}`} onClose={close}>
      <form className={start.form} onSubmit={submit}>
        <StartFields
          params={params}
          runConfig={workflow?.runConfig ?? {}}
          answers={answers}
          onChange={setAnswers}
        />
        <UnsendableNotice param={unsendable} />
        <DialogActions>
          <Button onPress={close}>Cancel</Button>
          <Button
            variant="primary"
            type="submit"
            icon={scope === 'dry' ? ListChecks : Play}
            isDisabled={unsendable !== undefined}
          >
            {scope === 'dry' ? 'Dry run' : 'Run'}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
