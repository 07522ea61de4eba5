import { quoted } from '../../errors.ts';
import { CliError, EXIT, exitCodeOf } from '../exit-codes.ts';
import { cliMessage } from '../message.ts';
import type { Terminal } from '../terminal.ts';
import { type Comparison, compare, type GitValues } from './compare.ts';
import { type Detail, detailsOf, movesOf } from './details.ts';
import { isBehind, isDrift, isPublished, pinned, type Row, staged } from './plan.ts';
import { print } from './print.ts';
import { checkAncestors, commitOf } from './repository.ts';
import type { LabelMove } from './service.ts';
import { eachOf, progressOf } from './work.ts';

/** Stops at what the repository does not know. */
const checkDrift = ({ rows, folder }: Comparison, overwrite: boolean | undefined): void => {
  const drifted = rows.filter(isDrift);
  if (overwrite === true || drifted.length === 0) return;
  const names = drifted.slice(0, 5).map(({ name, status }) => `${JSON.stringify(name)} (${status})`);
  const more = drifted.length > names.length ? ` and ${drifted.length - names.length} more` : '';
  throw new CliError(
    `Nothing was published. Changed in the service: ${names.join(', ')}${more}. Run "cuevault pull ${folder}" and commit, or add --overwrite.`,
    EXIT.drift,
  );
};

/** Stops at labels that the API key may not move. */
const checkLabels = async ({ service }: Comparison, wanted: readonly string[] = []): Promise<void> => {
  const allowed = wanted.length === 0 ? [] : await service.labels();
  const refused = wanted.filter((label) => !allowed.includes(label));
  if (refused.length === 0) return;
  throw new CliError(`This API key may not move the label ${quoted(refused)}.`, EXIT.refused);
};

/** The error for what failed in a push. */
const stopped = (what: string, error: unknown, published: number): CliError => {
  const sentence = `${what}: ${cliMessage(error)} Already published: ${published}. Running the same push again continues.`;
  return new CliError(sentence, exitCodeOf(error));
};

/** Publishes stage by stage. Returns the new versions by name. */
const publishAll = async (
  { rows, repository, opened, service }: Comparison,
  commit: string,
  overwrite: boolean | undefined,
  terminal: Terminal,
): Promise<Map<string, Detail>> => {
  const byName = new Map(rows.map((row) => [row.name, row]));
  const versions = new Map<string, string>();
  const done = new Map<string, Detail>();
  const due = (row: Row) => isPublished(row, overwrite) || isBehind(row);
  const tick = progressOf(terminal, 'published', rows.filter(due).length);
  const publish = async ({ name, file, listed, ...row }: Row): Promise<void> => {
    const content = file && pinned(file.content, (fragment) => versions.get(fragment));
    if (content === undefined || file === undefined) return;
    const source = { repository, commit, path: opened.prefix + file.path };
    const note = file.description === undefined ? {} : { note: file.description };
    try {
      const reply = await service.publish({ name, content, base: listed?.latest ?? null, ...note, source });
      versions.set(name, reply.version);
      if (row.status !== 'unchanged') done.set(name, { next: reply.version, breaking: reply.breaking });
      tick();
    } catch (error) {
      throw stopped(JSON.stringify(name), error, done.size);
    }
  };
  for (const stage of staged(rows.flatMap(({ file }) => file ?? []))) {
    const inStage = stage.flatMap(({ name }) => byName.get(name) ?? []);
    for (const row of inStage) if (!due(row) && row.listed) versions.set(row.name, row.listed.latest);
    await eachOf(inStage.filter(due), publish);
  }
  return done;
};

/** The commits that this repository published or adopted the prompts of the folder from. */
const commitsOf = (rows: readonly Row[]): string[] => [
  ...new Set(rows.flatMap(({ file, base }) => (file && base ? [base.commit] : []))),
];

/** `cuevault push DIR`: publishes the files of a folder, then moves labels. Returns the exit code. */
export const push = async (folder: string, values: GitValues, terminal: Terminal): Promise<number> => {
  const comparison = await compare(folder, values);
  const commit = commitOf(comparison.opened);
  const { rows, service, format } = comparison;
  const { overwrite, 'dry-run': isDryRun } = values;
  if (values['ignore-history'] !== true) checkAncestors(comparison.opened, commitsOf(rows));
  await checkLabels(comparison, values.label);
  // Everything that the service would refuse is refused before anything is published.
  if (isDryRun !== true) checkDrift(comparison, overwrite);
  const planned = await detailsOf(comparison, overwrite);
  if (isDryRun === true) {
    const moves = movesOf(rows, planned, values);
    const shown = print(terminal, format, { title: 'Dry run', rows, details: planned, moves });
    return rows.some(isDrift) && overwrite !== true ? EXIT.drift : shown;
  }
  const details = await publishAll(comparison, commit, overwrite, terminal);
  const moves = movesOf(rows, details, values);
  try {
    await service.moveLabels(moves.filter((move): move is LabelMove => move.to !== undefined));
  } catch (error) {
    throw stopped('Labels', error, details.size);
  }
  return print(terminal, format, { title: 'Pushed', rows, details, moves });
};
