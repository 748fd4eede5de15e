import { Plus } from 'lucide-react';
import { useLocation } from 'wouter';
import { useCan } from '../../api/session-queries.ts';
import { paths } from '../../navigation/address.ts';
import { Button } from '../../ui/button.tsx';

/** The ways to create a workflow, in display order. */
export const sourceKinds = ['blank', 'template', 'shell', 'crontab', 'makefile', 'yaml'] as const;
export type SourceKind = (typeof sourceKinds)[number];

/** The ways that use a text. */
export type TextSourceKind = Exclude<SourceKind, 'blank' | 'template'>;

export const sourceKindLabels: Readonly<Record<SourceKind, string>> = {
  blank: 'Blank',
  template: 'Template',
  shell: 'Shell script',
  crontab: 'Crontab',
  makefile: 'Makefile',
  yaml: 'YAML file',
};

export const isSourceKind = (word: string | undefined): word is SourceKind =>
  word !== undefined && (sourceKinds as readonly string[]).includes(word);

/** Detects the kind of a file by its name, or else by its first lines; undefined if unknown. */
export function detectSourceKind(fileName: string, text: string): TextSourceKind | undefined {
  const name = fileName.toLowerCase();
  if (/\.ya?ml$/.test(name)) return 'yaml';
  if (/\.(?:sh|bash|dash|ksh|zsh)$/.test(name)) return 'shell';
  if (/^(?:gnu)?makefile(?:\.|$)|\.(?:mk|make)$/.test(name)) return 'makefile';
  if (/^(?:crontab|anacrontab)|\.(?:cron|crontab|tab)$/.test(name)) return 'crontab';
  if (/^#!.*\b(?:ba|da|k|z|a)?sh\b/.test(text)) return 'shell';
  if (
    /^\s*(?:@(?:reboot|yearly|annually|monthly|weekly|daily|midnight|hourly)|[\d*][\d*/,-]*(?:\s+[\w*/,-]+){4})\s+\S/m.test(
      text,
    )
  )
    return 'crontab';
  if (/^(?:steps|dag|name|schedule):/m.test(text)) return 'yaml';
  return undefined;
}

/** Links to the page that creates workflows. */
export function NewWorkflowButton() {
  const [, navigate] = useLocation();
  const may = useCan('dags.create');
  return (
    <Button
      variant="primary"
      icon={Plus}
      unavailable={may.reason}
      onPress={() => navigate(paths.newWorkflow())}
    >
      New workflow
    </Button>
  );
}
