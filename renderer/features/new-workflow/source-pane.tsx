import { Notice } from '../../ui/state/notice.tsx';
import { NameField } from './name-field.tsx';
import styles from './new-workflow.module.css';
import { BlankSource } from './sources/blank-source.tsx';
import { CrontabSource } from './sources/crontab-source.tsx';
import { JobList } from './sources/job-list.tsx';
import { MakefileSource } from './sources/makefile-source.tsx';
import { ShellSource } from './sources/shell-source.tsx';
import { TemplateSource } from './sources/template-source.tsx';
import { TextSource } from './sources/text-source.tsx';
import type { NewWorkflow } from './use-new-workflow.ts';
import type { SourceKind } from './ways.ts';

interface SourcePaneProps {
  readonly way: SourceKind;
  readonly model: NewWorkflow;
  readonly onSubmit: () => void;
}

/** The source and the name of the workflow. */
export function SourcePane({ way, model, onSubmit }: SourcePaneProps) {
  const { candidates, shown, rename } = model;
  const outcome = way === 'crontab' ? undefined : shown?.outcome;
  return (
    <form
      className={styles.source}
      aria-label="Source"
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    >
      {way !== 'crontab' && (
        <NameField
          label="Name"
          value={candidates[0]?.name ?? ''}
          error={shouldAnnounce(model) ? candidates[0]?.nameError : undefined}
          description="File name, without .yaml"
          isReadOnly={candidates.length === 0}
          autoFocus={way === 'blank'}
          onChange={(name) => rename(0, name)}
        />
      )}
      {outcome?.ok === false && <Notice tone="error">{outcome.reason}</Notice>}
      <Source way={way} model={model} />
    </form>
  );
}

/** An untouched empty name is not shown as an error. */
const shouldAnnounce = ({ candidates, typed }: NewWorkflow): boolean =>
  candidates[0]?.name !== '' || typed.has(0);

function Source({ way, model }: Pick<SourcePaneProps, 'way' | 'model'>) {
  const { requests, change } = model;
  switch (way) {
    case 'blank':
      return <BlankSource value={requests.blank} onChange={(blank) => change({ blank })} />;
    case 'template':
      return <TemplateSource value={requests.template} onChange={(template) => change({ template })} />;
    case 'shell':
      return <ShellSource value={requests.shell} onChange={(shell) => change({ shell })} />;
    case 'makefile':
      return <MakefileSource value={requests.makefile} onChange={(makefile) => change({ makefile })} />;
    case 'yaml':
      return (
        <TextSource
          label="Workflow file"
          placeholder={'steps:\n  - name: greet\n    command: echo "Hello"'}
          source={requests.yaml}
          onChange={(yaml) => change({ yaml })}
        />
      );
    case 'crontab':
      return (
        <CrontabSource value={requests.crontab} onChange={(crontab) => change({ crontab })}>
          {model.candidates.length > 0 && (
            <JobList
              jobs={model.candidates}
              shown={model.shown?.index ?? 0}
              onShow={model.show}
              onName={model.rename}
              onChoose={model.choose}
            />
          )}
        </CrontabSource>
      );
  }
}
