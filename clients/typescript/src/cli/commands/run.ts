import { heldCredentials, PROOF_VARIABLES } from '../../credential.ts';
import type { SecretsResult } from '../../wire.ts';
import { becomeCommand, type Child, type Ending, endAs, passSignals, startChild } from '../child.ts';
import { CliError, EXIT } from '../exit-codes.ts';
import { type Environment, noSuchCommand, valueIn, withoutNames } from '../find.ts';
import { assignmentsIn, checkRequired, inject } from '../injection.ts';
import type { Call, Values } from '../options.ts';
import { listed, positive, secretsSource } from '../source.ts';
import type { Terminal } from '../terminal.ts';
import { watch } from '../watch.ts';

const inheritedBy = (values: Values): Environment => {
  const inherited = withoutNames(process.env, values['without-api-key'] === true ? PROOF_VARIABLES : []);
  if (values.environment === undefined) return inherited;
  return { ...withoutNames(inherited, ['CUEVAULT_ENVIRONMENT']), CUEVAULT_ENVIRONMENT: values.environment };
};

// Without a prototype: a secret may be called __proto__.
const environmentWith = (secrets: SecretsResult, values: Values): Environment =>
  Object.assign(Object.create(null), withoutNames(inheritedBy(values), Object.keys(secrets)), secrets);

/** A function that chooses which secrets the command gets, and says what it does not get, once. */
const chooserFor = (values: Values, terminal: Terminal) => {
  const rules = {
    allow: listed('allow', values.allow) ?? [],
    override: listed('override', values.override) ?? [],
  };
  const required = (values.require ?? []).flatMap(assignmentsIn).map(({ key }) => key);
  let reported: string | undefined;
  return (secrets: SecretsResult): SecretsResult => {
    const { set, report } = inject(secrets, inheritedBy(values), rules);
    if (report !== undefined && values.strict === true) throw new CliError(report, EXIT.unsuitable);
    if (report !== undefined && report !== reported) terminal.err(`cuevault: ${report}\n`);
    reported = report;
    checkRequired(required, environmentWith(set, values));
    return set;
  };
};

const runBeside = async (start: () => Child, group: boolean | undefined): Promise<Ending> => {
  let child: Child | undefined;
  // Before the start: a signal right after it would end only this process.
  const release = passSignals((signal) => child?.kill(signal, group));
  try {
    child = start();
    return await child.ended;
  } finally {
    release();
  }
};

/** `cuevault run -- COMMAND`: runs the command with secrets in its environment. Returns the exit code. */
export const runCommand = async ({ values, operands, terminal }: Call): Promise<number> => {
  const [command = '', ...rest] = operands;
  if (command === '') throw noSuchCommand('""');
  const intervalMs = positive('watch-interval', values['watch-interval'] ?? '60') * 1000;
  const own = (values['env-file'] ?? []).flatMap(assignmentsIn).map(({ key, value }) => [key, value]);
  const choose = chooserFor(values, terminal);
  const source = secretsSource(values, terminal);
  let fetched: SecretsResult = {};
  const read = async () => {
    // Without a prototype: a secret may be called __proto__.
    const found: SecretsResult = Object.fromEntries([...Object.entries(await source()), ...own]);
    const chosen = choose(found);
    fetched = found;
    return chosen;
  };
  const start = (current: SecretsResult) => {
    const env = environmentWith(current, values);
    const inherited = Object.keys(fetched).map((name) => valueIn(env, name));
    const secret = [...Object.values(fetched), ...inherited, ...heldCredentials()];
    const masked = values.redact === true ? secret.filter((value) => value !== undefined) : undefined;
    return startChild(command, rest, env, masked);
  };
  const secrets = await read();
  if (values.watch !== true && values.redact !== true)
    becomeCommand(command, rest, environmentWith(secrets, values));
  if (values.watch !== true) return endAs(await runBeside(() => start(secrets), values.group));
  const warn = (sentence: string) => terminal.err(`cuevault: ${sentence}\n`);
  return endAs(await watch({ start, read, intervalMs, warn, group: values.group }, secrets));
};
