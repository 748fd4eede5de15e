/**
 * Every named moment at which the fault tests may end or halt the process, with what has happened by then. A name
 * is `<subject>.<moment>`; the code says `failPoint(name)` there.
 */
export const failPoints = {
  'run.before_create': 'parameters are resolved, nothing of the run is stored',
  'run.created': 'the run is stored and claimed, nobody drives it yet',
  'run.claimed': 'a run that waited has been claimed',
  'run.before_scope': 'the run is about to resolve its environment and secrets',
  'run.scope_opened': 'its values are resolved, its log folder is there',
  'run.before_conditions': 'its preconditions are about to be checked',
  'run.before_steps': 'init has ended, no step has begun',
  'run.before_closing': 'all steps have ended, no closing handler has begun',
  'run.before_finish': 'handlers and mails are done, the end is not written',
  'run.finished': 'the end of the run is on disk, nobody has been told',
  'run.before_take_over': 'a run without a living host was found, it is not claimed',
  'run.taken_over': 'such a run is claimed, nobody drives it yet',
  'run.reopened': 'an ended run has been made to go on, nobody drives it yet',
  'step.conditions_checked': 'the conditions of a step hold, no attempt has begun',
  'attempt.announced': 'the start of an attempt is to be written, not on disk',
  'attempt.prepared': 'its folder and values are there, its start is not on disk',
  'attempt.before_spawn': 'its start is on disk, nothing has been started',
  'attempt.spawned': 'its process runs, its number is not on disk',
  'attempt.ended': 'its process has ended, nothing of that is on disk',
  'attempt.captured': 'its output is captured, its end is not on disk',
  'attempt.before_retry_wait': 'its end and the time of the next are to be written',
  'attempt.retry_due': 'the wait for the next attempt is over',
  'step.before_settle': 'the end of a step is to be written',
  'step.settled': 'the end of a step is to be written, what depends on it may start',
  'item.before_spawn': 'the start of an item is on disk, nothing has been started',
  'item.ended': 'an item has ended, nothing of that is on disk',
  'handler.before_start': 'a handler is about to begin',
  'handler.ended': 'a handler has ended',
  'sub_run.created': 'a step has created a run, the link to it is not on disk',
  'mail.before_send': 'it is on disk that a mail is about to be sent',
  'mail.sent': 'a mail server has taken the mail, that is not on disk',
  'commit.before': 'events are about to be written',
  'commit.after': 'events are on disk, nobody has been told',
  'host.before_beat': 'a host is about to say that it is alive',
  'recovery.before_start': 'a command has found runs without a host, and is about to start their recovery',
} as const satisfies Readonly<Record<string, string>>;

export type FailPointName = keyof typeof failPoints;
