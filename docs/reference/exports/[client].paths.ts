// The pages with everything that a client exports, made from its declarations or docstrings.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

const run = (...args: string[]): string =>
  execFileSync(process.execPath, args, { cwd: ROOT, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });

const ENTRIES = { cuevault: 'index', adapters: '', offline: '', testing: '', otel: '' };

/** The text of a JSDoc comment. */
const textOf = (comment: string): string =>
  comment.replaceAll(/^\/\*\*\s*|\s*\*\/$/g, '').replaceAll(/^ *\* ?/gm, '');

/** One section for each export of a file of declarations, also for what it takes from others; all, or those that are named. */
const sectionsOf = (file: string, names?: readonly string[]): string[] => {
  let comment = '';
  return readFileSync(file, 'utf8')
    .split(/\n(?=\/\*\*|[a-z])/)
    .flatMap((part) => {
      const before = comment;
      comment = part.startsWith('/**') ? part : '';
      const [, list = '', from] = /^export (?:type )?\{([^}]*)\} from '(.*)\.ts'/.exec(part) ?? [];
      if (from !== undefined) {
        const wanted = [...list.matchAll(/(\w+)\s*(?:,|$)/g)].map(([, name = '']) => name);
        return sectionsOf(path.join(path.dirname(file), `${from}.d.ts`), wanted);
      }
      const name = /^export (?:declare )?(?:const|class|interface|type|function) (\w+)/.exec(part)?.[1];
      if (name === undefined || names?.includes(name) === false) return [];
      const code = part.trim().replace('export declare ', '').replace('export ', '');
      return [`### ${name}\n\n${textOf(before)}\n\n\`\`\`ts\n${code}\n\`\`\``];
    });
};

const typescript = (): string => {
  const folder = mkdtempSync(path.join(tmpdir(), 'cuevault-declarations-'));
  run('node_modules/typescript/bin/tsc', '-p', 'clients/typescript/tsconfig.build.json', '--outDir', folder);
  const pages = Object.entries(ENTRIES).map(([name, file]) => {
    const declarations = path.join(folder, 'clients/typescript/src', `${file || name}.d.ts`);
    const entry = file === '' ? `cuevault/${name}` : name;
    return [`## ${entry}`, ...sectionsOf(declarations)].join('\n\n');
  });
  rmSync(folder, { recursive: true });
  return pages.join('\n\n');
};

const page = (client: string, title: string, content: string) => ({
  params: { client },
  // Without this, the site would evaluate placeholders.
  content: `# ${title}\n\n::: v-pre\n\n${content}\n\n:::\n`,
});

export default {
  paths: () => [
    page('typescript', 'TypeScript client: all exports', typescript()),
    page('python', 'Python client: all exports', run('scripts/python.mjs', 'python', '../../docs/reference/exports/python.py')),
  ],
};
