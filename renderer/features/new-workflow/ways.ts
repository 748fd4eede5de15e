/** The ways to create a workflow, in display order. */
export const ways = ['blank', 'template', 'shell', 'crontab', 'makefile', 'yaml'] as const;
export type Way = (typeof ways)[number];

/** The ways that use a text. */
export type TextWay = Exclude<Way, 'blank' | 'template'>;

export const wayLabels: Readonly<Record<Way, string>> = {
  blank: 'Blank',
  template: 'Template',
  shell: 'Shell script',
  crontab: 'Crontab',
  makefile: 'Makefile',
  yaml: 'YAML file',
};

export const isWay = (word: string | undefined): word is Way =>
  word !== undefined && (ways as readonly string[]).includes(word);

/** Detects the kind of a file by its name, or else by its first lines; undefined if unknown. */
export function wayOfFile(fileName: string, text: string): TextWay | undefined {
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
