import { filePathOf } from '../../../../../contract/content/file/prompt-file.ts';
import { EXIT } from '../exit-codes.ts';
import type { Terminal } from '../terminal.ts';
import { compare, type GitValues } from './compare.ts';
import { type LocalPrompt, writePrompt } from './folder.ts';
import { checkPaths } from './paths.ts';
import type { Row, Status } from './plan.ts';
import { print } from './print.ts';
import type { LatestContent } from './service.ts';

/** The includes of a pulled content: without version where the file had none and the folder has this very version. */
const includesFor = (row: Row, { content }: LatestContent, rows: readonly Row[]): string[] | undefined =>
  content.includes?.map((include) => {
    const at = include.lastIndexOf('@');
    const [name, version] = [include.slice(0, at), include.slice(at + 1)];
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
export const pull = async (folder: string, values: GitValues, terminal: Terminal): Promise<number> => {
  const { rows, service, format } = await compare(folder, values);
  const wanted: Status[] = ['drift'];
  if (values.overwrite === true) wanted.push('conflict');
  if (values.all === true) wanted.push('unmanaged');
  const due = rows.filter(({ status }) => wanted.includes(status));
  const paths = new Map(due.flatMap(({ name }) => [[name, filePathOf(name)] as const]));
  for (const [name, path] of paths)
    if (path === undefined)
      terminal.err(
        `cuevault: ${JSON.stringify(name)} is left out: a part of the name is empty or too long for a file.\n`,
      );
  const written = due.filter(({ name }) => paths.get(name) !== undefined);
  checkPaths([
    ...rows.flatMap(({ file }) => file?.path ?? []),
    ...written.map(({ name }) => paths.get(name) ?? ''),
  ]);
  if (values['dry-run'] !== true) {
    const latest = await service.latest(written.map(({ name }) => name));
    for (const row of written) {
      const content = latest.get(row.name);
      if (content) writePrompt(folder, fileOf(row, paths.get(row.name) ?? '', content, rows));
    }
  }
  const title = values['dry-run'] === true ? 'Would be written' : 'Written';
  print(terminal, format, { title, rows: written, details: new Map(), moves: [] });
  const left = rows.some(({ status }) => status === 'conflict') && values.overwrite !== true;
  if (left) terminal.err('cuevault: Files in conflict were left as they are; --overwrite replaces them.\n');
  return left ? EXIT.drift : EXIT.done;
};
