import { FilePlus2 } from 'lucide-react';
import { useLocation } from 'wouter';
import { useMay } from '../../api/session/permissions.ts';
import { paths } from '../../app/paths.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Breadcrumb } from '../../ui/layout/breadcrumb.tsx';
import { Page } from '../../ui/layout/page.tsx';
import { Tabs } from '../../ui/layout/tabs.tsx';
import { DropArea } from './drop-area.tsx';
import styles from './new-workflow.module.css';
import { ResultPane } from './result/result-pane.tsx';
import { useCheck, type Check } from './result/use-check.ts';
import { SourcePane } from './source-pane.tsx';
import { takeFile } from './take-file.ts';
import { useCreate } from './use-create.ts';
import { useNewWorkflow, type NewWorkflow } from './use-new-workflow.ts';
import { isWay, wayLabels, ways, type Way } from './ways.ts';
import { whyNot } from './why-not.ts';

/** Where a workflow begins: from nothing, a template, or something that there is already. */
export function NewWorkflowPage({ way: word }: { readonly way: string | undefined }) {
  const way: Way = isWay(word) ? word : 'blank';
  const [, navigate] = useLocation();
  const model = useNewWorkflow(way);
  const { proposal, shown } = model;
  const check = useCheck(proposal.workflows[shown?.index ?? 0]?.name ?? '', shown?.text);
  const submission = useSubmission(model, check);
  const turnTo = (next: Way): void => {
    model.startAnew();
    navigate(paths.newWorkflow(next), { replace: true });
  };
  const drop = async (file: File, others: number): Promise<void> => {
    const source = await takeFile(file, others, way === 'blank' || way === 'template' ? undefined : way);
    if (source === undefined) return;
    model.takeText(source.way, { fileName: source.fileName, text: source.text });
    navigate(paths.newWorkflow(source.way), { replace: true });
  };
  const panes = (id: Way) => (
    <div className={styles.panes}>
      <SourcePane way={id} model={model} onSubmit={submission.submit} />
      <ResultPane candidate={shown} check={check} notes={proposal.notes} reason={proposal.reason} />
    </div>
  );
  return (
    <DropArea hint="Drop it to make a workflow of it" onFile={(file, others) => void drop(file, others)}>
      <Page
        title="New workflow"
        above={<Breadcrumb trail={[{ label: 'Workflows', href: paths.workflows }]} />}
        actions={<Actions {...submission} />}
      >
        <Tabs
          label="What it begins with"
          value={way}
          onChange={turnTo}
          tabs={ways.map((id) => ({ id, label: wayLabels[id], content: panes(id) }))}
        />
      </Page>
    </DropArea>
  );
}

/** Creates what is chosen, and opens it when it is the only one. */
function useSubmission(model: NewWorkflow, check: Check) {
  const [, navigate] = useLocation();
  const may = useMay('dags.create');
  const { create, isPending } = useCreate();
  const { candidates } = model;
  const chosen = candidates.filter(({ isChosen }) => isChosen);
  const obstacle = whyNot(model, check, may);
  const submit = async (): Promise<void> => {
    if (obstacle !== undefined || isPending) return;
    const outcomes = await create(chosen);
    const [only] = outcomes.values();
    if (candidates.length === 1 && only?.ok === true) navigate(paths.editor(only.fileName));
    else model.note(outcomes);
  };
  const isDone = chosen.length === 0 && candidates.some(({ outcome }) => outcome?.ok === true);
  return { submit: () => void submit(), obstacle, isPending, isDone, count: chosen.length };
}

function Actions({ submit, obstacle, isPending, isDone, count }: ReturnType<typeof useSubmission>) {
  const [, navigate] = useLocation();
  return (
    <>
      <Button onPress={() => navigate(paths.workflows)}>{isDone ? 'Done' : 'Cancel'}</Button>
      {!isDone && (
        <Button look="primary" icon={FilePlus2} unavailable={obstacle} isPending={isPending} onPress={submit}>
          {count > 1 ? `Create ${count} workflows` : 'Create'}
        </Button>
      )}
    </>
  );
}
