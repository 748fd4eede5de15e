/** What follows the options in the help of each command: examples first. */
export const commandNotes = {
  start: `
Examples:
  engine etl.yaml                         run a file and show its progress
  engine start etl -- DATE=2026-01-01     a workflow of the home, with a parameter
  engine start etl -- first REGION=north  positional and named parameters
  engine start etl --from-run-id latest   once more, with the same parameters
  engine start etl --format json | jq .outputs

Each argument after -- is one parameter: NAME=value, or a value for its place.
Ctrl-C stops the run in order (its handlers run); a second one kills its processes.
Exit code: 0 succeeded or preconditions not met, 1 failed, partially succeeded or aborted,
130 or 143 stopped by a signal.`,
  exec: `
Examples:
  engine exec -- rsync -a data/ backup/     a program; its arguments arrive as they are
  engine exec -- 'pg_dump app | gzip > app.sql.gz'   one text is for a shell
  engine exec -N nightly -E DATE=2026-01-01 --workdir /srv -- ./export.sh
  engine exec --queue slow -- ./index.sh    wait in a queue; a host that stays runs it

What it writes is shown while it runs. The run is in the history: engine status exec-rsync, engine logs exec-rsync.
Exit code: that of the command.`,
  dags: `
Examples:
  engine dags
  engine dags --sort nextRun --tag nightly
  engine dags --format json | jq '.dags[] | select(.suspended)'`,
  suspend: `
Examples:
  engine suspend etl
  engine suspend --all --for 8h

engine dags shows what is suspended, engine resume etl ends it.`,
  resume: `
Examples:
  engine resume etl
  engine resume --all`,
  queues: `
Examples:
  engine queues                           all queues
  engine queues items nightly             what waits in one, in order
  engine queues pause nightly             start nothing of it any more
  engine queues drain nightly             take nothing new; what waits is still started
  engine queues resume nightly            open it again`,
  users: `
Examples:
  engine users create ada --role admin                 asks for the password
  engine users create ci --role operator --password-stdin < password.txt
  engine users update ada --role manager
  engine users reset-password ada

They count when AUTH_MODE is builtin. On the machine that has the home no password is needed: whoever can write the
home may do everything.`,
  tokens: `
Examples:
  engine tokens create deploy --role operator --expires-in-days 90 > token.txt
  engine tokens list
  engine tokens delete deploy

Used as Authorization: Bearer, and by ENGINE_SERVER_TOKEN.`,
  receivers: `
Examples:
  engine webhooks receivers create github > address.txt     its address, and a secret to give to the sender
  engine webhooks receivers create shop --scheme standard --secret-stdin < secret.txt
  engine webhooks receivers deliveries github               what came, newest first
  engine webhooks receivers deliveries github 17            one of it, and why it did not start a workflow
  engine webhooks receivers replay github 17
  engine webhooks receivers rotate-secret github --overlap-sec 3600

A server takes the requests: engine server, or engine start-all. Workflows listen with "on: webhook:".`,
  webhooks: `
Examples:
  engine webhooks create https://example.com/hook --events workflow_run,status --secret-stdin < secret.txt
  engine webhooks create http://127.0.0.1:3000/hook --allow-private
  engine webhooks update 1 --on                   switch on again what was switched off
  engine webhooks rotate-secret 1 --overlap-hours 48
  engine webhooks deliveries 1 --failed
  engine webhooks deliveries 1 42                 one of it: what was sent, and what was answered
  engine webhooks replay 1 --since 2026-01-31T08:00:00Z
  engine webhooks emit push --payload push.json   tell all webhooks of it, as if it had happened

Without a server, emit and ping send from this process, and wait for the answers.`,
  auth: `
Examples:
  engine auth rotate-key
  engine auth rotate-key --keep-hours 0     everybody has to log in again`,
  completion: `
Examples:
  eval "$(engine completion bash)"        in ~/.bashrc
  eval "$(engine completion zsh)"         in ~/.zshrc, after compinit
  engine completion fish | source         in ~/.config/fish/config.fish`,
  validate: `
Examples:
  engine validate etl.yaml
  engine validate dags/*.yaml --format json

Exit code: 0 when no file has errors (warnings are shown), 1 otherwise.`,
  dry: `
Examples:
  engine dry etl.yaml
  engine dry etl -- DATE=2026-01-01 REGION=north
  engine dry etl --run-substitutions      run commands in backticks, such as \`date\`
  engine dry etl --format json | jq .findings

Nothing is written or run. What only a run can tell, such as the output of a step, stays as written.
Exit code: 0 when nothing was found that would make the run fail, 1 otherwise.`,
  status: `
Examples:
  engine status etl
  engine status etl --run-id 0198c7c2-8a53-7cc1-a7a4-52a6b1a1d6c8 --format json`,
  retry: `
Examples:
  engine retry etl                             what failed in the newest run, and what depends on it
  engine retry etl --dry-run                   only say what would run again
  engine retry etl --step send                 this step alone
  engine retry etl --step send --downstream    this step and everything after it
  engine retry --name etl-north                of a run that was started with --name

The run goes on under its id, with the workflow and the parameters kept with it.
What runs again and what is kept is said beforehand. Exit codes are those of start.`,
  restart: `
Examples:
  engine restart service
  engine restart service --run-id 0198c7c2-8a53-7cc1-a7a4-52a6b1a1d6c8

The active run is stopped in order; the new one has an id of its own. Exit codes are those of start.`,
  stop: `
Examples:
  engine stop etl
  engine stop etl --all --wait            every active and waiting run, until they have ended`,
  approvals: `
Examples:
  engine approvals                        what waits for an answer, of all workflows
  engine approvals etl --all              and what was answered
  engine approvals --format json | jq -r '.approvals[].question'`,
  approve: `
Examples:
  engine approve etl
  engine approve etl release --comment "checked by hand"
  engine approve etl release --input TICKET=OPS-17 --input REASON="end of month"
  engine approve etl release -r 0198c7c2-8a53-7cc1-a7a4-52a6b1a1d6c8

An answer is given once. A run whose process is gone is gone on with.`,
  reject: `
Examples:
  engine reject etl
  engine reject etl release --comment "not on a Friday"

The step fails, whatever its retry policy; what its workflow says of failures follows.`,
  recover: `
Examples:
  engine recover
  engine recover --format json | jq .dagRuns

Other commands start it in the background when they find such runs; server and desktop app do its
work themselves. Steps that still run are gone on with, ended ones keep their true exit codes.`,
  enqueue: `
Examples:
  engine enqueue etl
  engine enqueue etl --queue nightly --priority 10 -- DATE=2026-01-01
  engine enqueue etl --singleton          refused while a run of etl is active or waits

The run keeps the workflow and the parameters of this moment. The desktop app, engine scheduler or
engine start-all starts it when it is its turn; engine status says why it waits.`,
  dequeue: `
Examples:
  engine dequeue etl                      the run that has waited longest
  engine dequeue nightly --dag-run etl:0198c7c2-8a53-7cc1-a7a4-52a6b1a1d6c8

The run ends as aborted; its handlers do not run, since it has not begun.`,
  history: `
Examples:
  engine history
  engine history etl --status failed,aborted --limit 100
  engine history --tag prod --tag nightly
  engine history --from 2026-11-01 --to 2026-12-01`,
  logs: `
Examples:
  engine logs etl                             all steps, each line behind its step's name
  engine logs etl extract --stream stdout     one log, byte for byte
  engine logs etl resize --item 7             the seventh item of a step with parallel
  engine logs etl -f                          until the run ends

Without STEP, lines of stdout follow "|", lines of stderr "!".`,
  artifacts: `
Examples:
  engine artifacts etl                        what the newest run has kept
  engine artifacts etl report.html            save a file here
  engine artifacts etl --all -d results       save all of them
  engine artifacts etl model.bin --stdout | sha256sum

Steps keep files by outputFiles. A file of the same name is replaced.`,
  server: `
Examples:
  engine server
  engine server --port 0                  any free port; the line on stdout names it

SIGINT and SIGTERM close the server; runs that it drives are stopped in order,
or go on for the next host to take over (--on-stop leave).
Schedules are served by engine scheduler, engine start-all or the desktop app.`,
  'start-all': `
Examples:
  engine start-all
  engine start-all --port 9000

It is engine server and engine scheduler in one process, without a health check of its own: GET /api/v2/health.`,
  scheduler: `
Examples:
  engine scheduler
  engine scheduler --port 0               without a health check

Of several schedulers of a home one works; another takes over within seconds when that one is gone.
SIGINT and SIGTERM end it; runs that it drives are stopped in order, or go on for the next host to
take over (--on-stop leave).
Health check: GET http://127.0.0.1:8090/health; scheduler.port and ENGINE_SCHEDULER_PORT choose the port.`,
} as const;

/** Environment and exit codes, at the end of `engine --help`. */
export const programNotes = `
DAG is a path to a YAML file, or the name of a workflow in the home's folder "dags".

Environment:
  ENGINE_HOME    home directory (workflows, history, logs), as --engine-home
  ENGINE_CONFIG  configuration file, as --config
  ENGINE_SERVER, ENGINE_SERVER_TOKEN   server to work through, as --server and --token
  ENGINE_DEBUG   when set, defects are shown with their stack
  NO_COLOR, FORCE_COLOR   switch colours off or on

Exit codes:
  0  success             4  conflict: not running, exists already, limit reached
  1  failed, or invalid  5  home, disk or database
  2  usage               6  not allowed
  3  not found           7  busy, try again
  70  defect of the engine; 129, 130, 143  stopped by a signal

engine help COMMAND has more than COMMAND --help; engine help exit-codes and engine help environment list all.`;
