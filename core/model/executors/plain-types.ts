/** What `type` says of steps that need no executor of their own: what they do shows in their other fields. */
export const plainStepTypes: readonly string[] = ['', 'command', 'shell', 'dag', 'subworkflow', 'parallel'];
