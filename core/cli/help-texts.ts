/** Notes after the options in the help of each command, starting with examples. */
export const commandNotes = {
  start: `
Examples:
  engine etl.yaml                         run a file and show its progress
  engine run etl -- DATE=2026-01-01       a workflow by name, with a parameter
  engine start etl -- first REGION=north  positional and named parameters
  engine start etl --from-run-id latest   run again with the same parameters
  engine start etl --format json | jq .outputs
  engine start ci.yaml --report github --report junit=out.xml

Each argument after -- is a parameter: NAME=value, or a positional value.
Ctrl-C stops the run gracefully (handlers still run); press it again to kill the processes.
Exit codes: 0 succeeded or preconditions not met; 1 failed, partially succeeded or aborted;
130 or 143 stopped by a signal.`,
  exec: `
Examples:
  engine exec -- rsync -a data/ backup/     a program and its arguments
  engine exec -- 'pg_dump app | gzip > app.sql.gz'   a single argument runs in a shell
  engine exec -N nightly -E DATE=2026-01-01 --workdir /srv -- ./export.sh
  engine exec --queue slow -- ./index.sh    queue the run; a server or the scheduler starts it

Output is shown live. The run is stored in the history: engine status exec-rsync, engine logs exec-rsync.
Exit code: the exit code of the command.`,
  dags: `
Examples:
  engine ls
  engine dags --sort nextRun --tag nightly
  engine dags --format json | jq '.dags[] | select(.suspended)'`,
  suspend: `
Examples:
  engine suspend etl
  engine suspend --all --for 8h

See suspended schedules with engine dags. Resume with engine resume etl.`,
  resume: `
Examples:
  engine resume etl
  engine resume --all`,
  rename: `
Examples:
  engine rename etl sales-etl
  engine rename etl sales-etl --keep-references`,
  duplicate: `
Example:
  engine duplicate etl etl-test`,
  delete: `
Examples:
  engine delete etl
  engine delete etl --runs --stop-runs --yes

The file can be restored from its versions in the app.`,
  queues: `
Examples:
  engine queues                           list all queues
  engine queues items nightly             list the runs of a queue, in start order
  engine queues pause nightly             start no more runs from the queue
  engine queues drain nightly             accept no new runs; queued runs still start
  engine queues resume nightly            resume the queue`,
  secrets: `
Examples:
  engine secrets                          list names, uses and workflows, never values
  engine secrets set sales-token          asks for the value
  engine secrets set sales-token < token.txt
  engine secrets delete sales-token

A workflow reads it with: secrets: [{ name: TOKEN, provider: store, key: sales-token }]
The values are encrypted in the home. The key is in the system's keychain, ENGINE_SECRETS_KEY,
or the key file of secrets.keyFile.`,
  users: `
Examples:
  engine users create ada --role admin                 prompts for the password
  engine users create ci --role operator --password-stdin < password.txt
  engine users update ada --role manager
  engine users reset-password ada

Users apply when AUTH_MODE is builtin. Local commands need no password: anyone with write access to the home
has full access.`,
  tokens: `
Examples:
  engine tokens create deploy --role operator --expires-in-days 90 > token.txt
  engine tokens list
  engine tokens delete deploy

Send the token as "Authorization: Bearer TOKEN", or set ENGINE_SERVER_TOKEN.`,
  channels: `
Examples:
  engine notify channels create ops-slack --kind slack --secret-stdin < url.txt
  engine notify channels create on-call --kind mail --to ops@example.com,dev@example.com
  engine notify channels create phone --kind ntfy --secret-stdin < topic.txt
  engine notify channels create bot --kind telegram --chat -100123 --secret-stdin < token.txt
  engine notify channels test ops-slack

Without --secret-stdin, the URL, token or topic is asked for. It is never an argument and never shown.`,
  rules: `
Examples:
  engine notify rules create failures --to ops-slack
  engine notify rules create nightly --to on-call --on failed,late --tags nightly --after 2
  engine notify rules create quiet --to ops-slack --quiet-hours "22:00-07:00 Europe/Berlin" --digest-sec 3600
  engine notify rules update failures --disable

Without --workflows, --tags, --groups or --folders, a rule applies to all workflows.`,
  notify: `
Examples:
  engine notify channels create ops-slack --kind slack --secret-stdin < url.txt
  engine notify rules create failures --to ops-slack --on failed,recovered
  engine notify list                              show what was sent, and the responses
  engine notify resend 17

A running server, scheduler or desktop app sends notifications.`,
  receivers: `
Examples:
  engine webhooks receivers create github > address.txt     URL, and a secret for the sender
  engine webhooks receivers create shop --scheme standard --secret-stdin < secret.txt
  engine webhooks receivers send-sample github --event push send a signed sample
  engine webhooks receivers deliveries github               list deliveries, newest first
  engine webhooks receivers deliveries github 17            show details, and why no workflow started
  engine webhooks receivers replay github 17
  engine webhooks receivers rotate-secret github --overlap-sec 3600

Requests are received by engine server or engine start-all. Workflows subscribe with "on: webhook:".`,
  pings: `
Examples:
  engine pings create nightly-nas --every 1d --grace 1h > address.txt
  engine pings create invoices --cron "30 2 1 * *" --timezone Europe/Berlin
  engine pings show nightly-nas                   URL, status and last pings

Let the job request the URL when it is done: curl -fsS -m 10 --retry 5 URL
Append /start when it starts, and /fail or its exit code when it ends. The request body is stored as its log.
Pings are received by engine server or engine start-all, and missed by its scheduler or engine scheduler.`,
  webhooks: `
Examples:
  engine webhooks create https://example.com/hook --events workflow_run,status --secret-stdin < secret.txt
  engine webhooks create http://127.0.0.1:3000/hook --allow-private
  engine webhooks update 1 --on                   reactivate a disabled webhook
  engine webhooks rotate-secret 1 --overlap-hours 48
  engine webhooks deliveries 1 --failed
  engine webhooks deliveries 1 42                 show the request and response of a delivery
  engine webhooks replay 1 --since 2026-01-31T08:00:00Z
  engine webhooks emit push --payload push.json   send an event to all subscribed webhooks

Without a server, emit and ping send from this process and wait for the responses.`,
  auth: `
Examples:
  engine auth rotate-key
  engine auth rotate-key --keep-hours 0     all users must sign in again`,
  completion: `
Examples:
  eval "$(engine completion bash)"        in ~/.bashrc
  eval "$(engine completion zsh)"         in ~/.zshrc, after compinit
  engine completion fish | source         in ~/.config/fish/config.fish`,
  validate: `
Examples:
  engine validate etl.yaml
  engine validate dags/*.yaml --format json

Exit codes: 0 if no file has errors (warnings are shown), 1 otherwise.`,
  dry: `
Examples:
  engine dry etl.yaml
  engine dry etl -- DATE=2026-01-01 REGION=north
  engine dry etl --run-substitutions      run commands in backticks, such as \`date\`
  engine dry etl --format json | jq .findings

Nothing is run or written. Values known only at run time, such as step outputs, are shown unexpanded.
Exit codes: 0 if no problems were found, 1 otherwise.`,
  status: `
Examples:
  engine status etl
  engine status etl --run-id 0198c7c2-8a53-7cc1-a7a4-52a6b1a1d6c8 --format json`,
  retry: `
Examples:
  engine retry etl                             failed steps of the latest run, and the steps that depend on them
  engine retry etl --dry-run                   show which steps would run, and why
  engine retry etl --current                   resume with the current file
  engine retry etl --from send                 this step and all steps after it
  engine retry etl --step send                 only this step
  engine retry --name etl-north                a run that was started with --name

The run keeps its ID and parameters. With --current it continues with the current file: steps that
have changed run again, unchanged steps that succeeded keep their outputs. The steps to run are listed first. Exit codes are the same as for start.`,
  restart: `
Examples:
  engine restart service
  engine restart service --run-id 0198c7c2-8a53-7cc1-a7a4-52a6b1a1d6c8

The active run is stopped gracefully; the new run gets its own ID. Exit codes are the same as for start.`,
  stop: `
Examples:
  engine stop etl
  engine stop etl --all --wait            stop all active and queued runs, and wait`,
  note: `
Examples:
  engine note etl                                     note of the newest run
  engine note etl "Bad input, see ticket 4711" -r ID  set the note of a run
  engine note etl --delete

Notes have at most 10,000 characters. They are deleted with their run.`,
  approvals: `
Examples:
  engine approvals                        pending approvals of all workflows
  engine approvals etl --all              including answered approvals
  engine approvals --format json | jq -r '.approvals[].question'`,
  approve: `
Examples:
  engine approve etl
  engine approve etl release --comment "checked by hand"
  engine approve etl release --input TICKET=OPS-17 --input REASON="end of month"
  engine approve etl release -r 0198c7c2-8a53-7cc1-a7a4-52a6b1a1d6c8

An approval can be answered only once. If the process of the run has died, the run is resumed.`,
  reject: `
Examples:
  engine reject etl
  engine reject etl release --comment "not on a Friday"

The step fails and is not retried; the failure handling of the workflow applies.`,
  recover: `
Examples:
  engine recover
  engine recover --format json | jq .dagRuns

Other commands start recovery in the background when they find such runs; the server and the desktop app
recover runs themselves. Steps still running are resumed; finished steps keep their exit codes.`,
  enqueue: `
Examples:
  engine enqueue etl
  engine enqueue etl --queue nightly --priority 10 -- DATE=2026-01-01
  engine enqueue etl --singleton          fails if a run of etl is active or queued

The run uses the current workflow version and parameters. The desktop app, engine scheduler or
engine start-all starts queued runs; engine status shows why a run is waiting.`,
  dequeue: `
Examples:
  engine dequeue etl                      the oldest queued run
  engine dequeue nightly --dag-run etl:0198c7c2-8a53-7cc1-a7a4-52a6b1a1d6c8

The run is marked as aborted. Handlers do not run because the run never started.`,
  ps: `
Examples:
  engine ps
  engine ps etl --format json | jq -r '.dagRuns[].dagRunId'`,
  history: `
Examples:
  engine history
  engine history etl --status failed,aborted --limit 100
  engine history --tag prod --tag nightly
  engine history --from 2026-11-01 --to 2026-12-01`,
  logs: `
Examples:
  engine logs etl                             all steps, each line prefixed with the step name
  engine logs etl extract --stream stdout     a single log, unchanged
  engine logs etl resize --item 7             item 7 of a parallel step
  engine logs etl -f                          follow until the run ends

Without STEP, stdout lines are marked with "|" and stderr lines with "!".`,
  artifacts: `
Examples:
  engine artifacts etl                        artifacts of the latest run
  engine artifacts etl report.html            save a file to the current directory
  engine artifacts etl --all -d results       save all artifacts
  engine artifacts etl model.bin --stdout | sha256sum

Steps save artifacts with "outputFiles". Existing files are overwritten.`,
  server: `
Examples:
  engine server
  engine server --port 0                  any free port, printed to stdout

SIGINT and SIGTERM shut down the server; its active runs are stopped gracefully,
or left for the next host (--on-stop leave).
Schedules need engine scheduler, engine start-all or the desktop app.`,
  'start-all': `
Examples:
  engine start-all
  engine start-all --port 9000

Combines engine server and engine scheduler in one process. Health check: GET /api/v2/health.`,
  scheduler: `
Examples:
  engine scheduler
  engine scheduler --port 0               no health check
Only one scheduler of a home is active; if it fails, another takes over within seconds.
SIGINT and SIGTERM shut down the scheduler; its active runs are stopped gracefully, or left for the
next host (--on-stop leave).
Health check: GET http://127.0.0.1:8090/health. Set the port with scheduler.port or ENGINE_SCHEDULER_PORT.`,
} as const;

/** Environment variables and exit codes, at the end of `engine --help`. */
export const programNotes = `
DAG is the path of a YAML file, or the name of a workflow in the "dags" folder of the home.

Environment:
  ENGINE_HOME    home directory (workflows, history, logs), same as --engine-home
  ENGINE_CONFIG  configuration file, same as --config
  ENGINE_SERVER, ENGINE_SERVER_TOKEN   server URL and token, same as --server and --token
  ENGINE_DEBUG   if set, errors are printed with their stack trace
  NO_COLOR, FORCE_COLOR   turn colors off or on

Exit codes:
  0  success             4  conflict: not running, exists already, limit reached
  1  failed, or invalid  5  home, disk or database
  2  usage               6  not allowed
  3  not found           7  busy, try again
  70  internal error; 129, 130, 143  stopped by a signal

More help: engine help COMMAND, engine help exit-codes, engine help environment.`;
