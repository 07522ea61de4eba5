import { filePathOf } from '../../../../../contract/content/file/prompt-file.ts';
import { quoted } from '../../wire.ts';
import { CliError, cliMessage, EXIT, exitCodeOf, throwAll } from '../exit-codes.ts';
import { importPrompts } from '../import/import.ts';
import type { Call } from '../options.ts';
import type { Terminal } from '../terminal.ts';
import { type Comparison, compare, type Detail, detailsOf, movesOf } from './compare.ts';
import { collisionsOf, type LocalPrompt, writePrompt } from './folder.ts';
import { isBehind, isDrift, isPublished, pinned, type Row, type Status, staged } from './plan.ts';
import { changedIn, print } from './report.ts';
import { checkAncestors, commitOf } from './repository.ts';
import type { LabelMove, LatestContent } from './service.ts';
import { eachOf, progressOf } from './work.ts';

/** `cuevault diff DIR`: what a push would publish, and what was edited in the service. Returns the exit code. */
export const diff = async ({ operands: [folder = ''], values, terminal }: Call): Promise<number> => {
  const comparison = await compare(folder, values);
  const { rows, format } = comparison;
  const details = await detailsOf(comparison, false);
  const moves = movesOf(rows, details, values);
  const shown = print(terminal, format, { title: 'Prompts', rows, details, moves });
  if (values['exit-code'] !== true || shown !== EXIT.done) return shown;
  if (rows.some(isDrift)) return EXIT.drift;
  return changedIn(rows).length > 0 || moves.length > 0 ? EXIT.differs : EXIT.done;
};

/** The includes of a pulled content: without version where the file had none and the folder has this very version. */
const includesFor = (row: Row, { content }: LatestContent, rows: readonly Row[]): string[] | undefined =>
  content.includes?.map((include) => {
    const at = include.lastIndexOf('@');
    const name = include.slice(0, at);
    const version = include.slice(at + 1);
    const isOpen = row.file?.content.includes?.includes(name) === true;
    const fragment = rows.find((each) => each.name === name && each.file !== undefined);
    return isOpen && fragment?.listed?.latest === version ? name : include;
  });

const fileOf = (row: Row, path: string, latest: LatestContent, rows: readonly Row[]): LocalPrompt => {
  const includes = includesFor(row, latest, rows);
  const content = includes === undefined ? latest.content : { ...latest.content, includes };
  return { name: row.name, path, content, ...(latest.note === '' ? {} : { description: latest.note }) };
};

/** `cuevault pull DIR`: writes what was edited in the service. Returns the exit code. */
export const pull = async ({ operands: [folder = ''], values, terminal }: Call): Promise<number> => {
  // Here the service wins, so that what includes a fragment is compared with its version there.
  const { service, format, bad, ...compared } = await compare(folder, { ...values, overwrite: false });
  const rows = compared.rows.map(
    (row): Row => (row.status === 'gone' ? { ...row, status: 'unmanaged' } : row),
  );
  const wanted: Status[] = ['drift'];
  if (values.overwrite === true) wanted.push('conflict');
  if (values.all === true) wanted.push('unmanaged');
  const written = new Map<Row, string>();
  const due = rows.filter(
    ({ name, status }) => wanted.includes(status) && !bad.some((each) => each.name === name),
  );
  const collisions = collisionsOf([
    ...rows.flatMap(({ file }) => file?.path ?? []),
    ...due.flatMap(({ name }) => filePathOf(name) ?? []),
  ]);
  for (const row of due) {
    const path = filePathOf(row.name);
    const problem =
      path === undefined ? 'a part of the name is empty or too long for a file.' : collisions.get(path);
    if (path !== undefined && problem === undefined) written.set(row, path);
    else terminal.err(`cuevault: ${JSON.stringify(row.name)} is left out: ${problem}\n`);
  }
  if (values['dry-run'] !== true) {
    const latest = await service.latest(Array.from(written.keys(), ({ name }) => name));
    for (const [row, path] of written) {
      const content = latest.get(row.name);
      if (content) writePrompt(folder, fileOf(row, path, content, rows));
    }
  }
  const title = values['dry-run'] === true ? 'Would be written' : 'Written';
  print(terminal, format, { title, rows: [...written.keys()], details: new Map(), moves: [] });
  const left = rows.some(({ status }) => status === 'conflict') && values.overwrite !== true;
  if (left) terminal.err('cuevault: Files in conflict were left as they are; --overwrite replaces them.\n');
  throwAll(bad.map(({ error }) => error));
  return left ? EXIT.drift : EXIT.done;
};

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

/** Stops at labels that the API key may not move, as they are not its own or are protected. */
const checkLabels = async ({ service, rows }: Comparison, wanted: readonly string[] = []): Promise<void> => {
  if (wanted.length === 0) return;
  const allowed = await service.labels();
  const refused = wanted.filter((label) => !allowed.includes(label));
  if (refused.length > 0)
    throw new CliError(`This API key may not move the label ${quoted(refused)}.`, EXIT.refused);
  const { name, latest, labels } = (rows.find(({ file, listed }) => file && listed) ?? rows[0])?.listed ?? {};
  if (name === undefined || latest === undefined) return;
  // Any move shows whether a label is protected: the versions of the files do not exist yet.
  const moves = wanted.map((label) => {
    const from = labels?.find((each) => each.label === label)?.version ?? null;
    return { name, label, from, to: from === latest ? null : latest };
  });
  await service.moveLabels(moves, true);
};

/** The error for what failed in a push. */
const stopped = (what: string, error: unknown, published: number): CliError => {
  const sentence = `${what}: ${cliMessage(error)} Already published: ${published}. Running the same push again continues.`;
  return new CliError(sentence, exitCodeOf(error));
};

/** Publishes stage by stage. Returns the new versions by name. */
const publishAll = async (
  { rows, repository, opened, service, inService }: Comparison,
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
      throw stopped(JSON.stringify(file.path), error, done.size);
    }
  };
  for (const stage of staged(
    rows.flatMap(({ file }) => file ?? []),
    inService,
  )) {
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
export const push = async ({ operands: [folder = ''], values, terminal }: Call): Promise<number> => {
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

/** The commands that are bundled separately: for prompts in git, and `import`. */
export const COMMANDS = { push, pull, diff, import: importPrompts };
