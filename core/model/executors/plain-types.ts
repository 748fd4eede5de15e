/** Values of `type` for steps that need no executor of their own: their other fields define what they do. */
export const plainStepTypes: readonly string[] = ['', 'command', 'shell', 'dag', 'subworkflow', 'parallel'];
